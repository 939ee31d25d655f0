"""A notebook's front end, stood in for: a page that loads the widget's module as anywidget does, with a model of its own."""

import queue
from typing import Any

from web.visitor import wait

ADDRESS = "http://notebook.test/"
# A model as anywidget gives it to `render`: values, listeners, messages to and from the kernel.
STAND_IN = """
async ([number, esm, values]) => {
  const listeners = {};
  const model = {
    get: (name) => values[name],
    on: (name, listener) => (listeners[name] ??= []).push(listener),
    off: (name, listener) => { listeners[name] = (listeners[name] ?? []).filter((other) => other !== listener); },
    send: (message) => window.toKernel(number, message),
  };
  (window.deliver ??= {})[number] = (name, value) => {
    if (name !== "custom") values[name] = value;
    for (const listener of listeners[name === "custom" ? "msg:custom" : `change:${name}`] ?? []) listener(value);
  };
  const el = document.createElement("section");
  document.body.append(el);
  const loaded = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  loaded.default.render({ model, el });
}
"""


class Front:
    """A page with widgets on it. What a widget tells is delivered when somebody waits: a browser has one thread here."""

    def __init__(self, browser: Any, *widgets: Any) -> None:
        self.widgets, self.wrong = widgets, []
        self._told: queue.Queue[tuple[int, str, Any]] = queue.Queue()
        self.page = browser.new_context(viewport={"width": 1000, "height": 700}, reduced_motion="reduce").new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.on(
            "request", lambda asked: None if asked.url.startswith((ADDRESS, "blob:")) else self.wrong.append(asked.url)
        )
        self.page.route(
            ADDRESS, lambda route: route.fulfill(content_type="text/html", body="<!doctype html><title>A notebook</title>")
        )
        self.page.goto(ADDRESS)
        self.page.expose_function("toKernel", lambda number, message: widgets[number]._handle_custom_msg(message, []))
        for number, widget in enumerate(widgets):
            self._mount(number, widget)

    def _mount(self, number: int, widget: Any) -> None:
        for name in ("state", "thought"):
            widget.observe(lambda change, name=name: self._told.put((number, name, change.new)), name)
        widget.send = lambda message, buffers=None: self._told.put((number, "custom", message))
        self.page.add_style_tag(content=widget._css)
        self.page.evaluate(STAND_IN, [number, widget._esm, {"state": widget.state, "thought": widget.thought}])

    def deliver(self) -> None:
        """Gives the page what its widgets told."""
        while not self._told.empty():
            number, name, value = self._told.get()
            self.page.evaluate("([number, name, value]) => window.deliver[number](name, value)", [number, name, value])

    def until(self, condition: Any, what: str) -> None:
        """Delivers until something is so."""

        def settled() -> bool:
            self.deliver()
            self.page.wait_for_timeout(1)  # lets the page's messages in
            return bool(condition())

        wait(settled, what)

    def play(self, move: str) -> None:
        """Clicks the one touch that makes a move on the first board."""
        position = self.widgets[0].position
        (touch,) = position.touches(position.parse(move))
        self.touch(touch)

    def touch(self, name: str) -> None:
        """Clicks a touch, once it is lit."""
        found = self.page.locator(f'[data-touch="{name}"].lit').first
        self.until(found.count, f"{name} to be lit")
        found.click(force=True)

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).first.inner_text())
