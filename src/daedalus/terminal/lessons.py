"""The lessons of a game: positions to play through, each with a task; and what the guide tells to read."""

from typing import TYPE_CHECKING

from rich.text import Text

from daedalus.core import DaedalusError, IllegalMove, Position
from daedalus.core.guide import Guide, Lesson, guide_of
from daedalus.core.registry import registration_of

from . import format, markup
from .input import Question

if TYPE_CHECKING:
    from .screen import Screen
    from .session import Session

_WAYS_OUT = ("q", "quit", "leave")
_BESIDE = 34  # columns that a text beside a picture needs


def learn(session: "Session") -> None:
    """Plays the lessons of the session's game; the game itself waits."""
    lessons = guide_of(session.position).lessons
    if not lessons:
        raise IllegalMove("this game has no lessons; `rules` tells what it tells")
    for number, lesson in enumerate(lessons, 1):
        if not _teach(session, lesson, f"Lesson {number} of {len(lessons)}", number == len(lessons)):
            break
    session.draw()


def _teach(session: "Session", lesson: Lesson, title: str, last: bool) -> bool:
    """One lesson; False when the player leaves."""
    screen = session.screen
    position = lesson.begin(registration_of(session.position.game))
    view = position.view()
    said = lesson.say
    while True:
        _show(screen, view, title, said)
        words = dict.fromkeys(map(str, view.legal_moves), "")
        answer = session.ask(Question("your move> ", words, hint="q leaves the lessons", room=screen.room)).strip()
        if answer.lower() in _WAYS_OUT:
            return False
        if not answer:
            continue
        try:
            move = view.parse(answer)
        except DaedalusError as error:
            said = f"{format.one_line(error)}. {lesson.other}"
            continue
        if str(move) in lesson.wanted:
            break
        said = lesson.other
    position.push(str(move))
    _show(screen, position.view(0), title, f"**{move}** - {lesson.done}")
    session.display.wait("Enter starts the game " if last else "Enter goes on ")
    return True


def _show(screen: "Screen", view: Position, title: str, text: str) -> None:
    screen.wipe()
    screen.say(title, "dim")
    words = markup.folded(text, min(78, screen.console.width - 1))
    screen.board(view, screen.lines_of(words))
    screen.write(words)


# --- to read ----------------------------------------------------------------------------------------------------------


def rules_page(screen: "Screen", position: Position) -> Text:
    """The sentence, the rules, and beside them a small board, where there is room."""
    guide = guide_of(position)
    width = min(screen.console.width, 100) - 1
    page = markup.folded(f"**{guide.sentence}**", width).append("\n")
    picture = _example(guide, position)
    wide = max(map(len, picture.plain.split("\n")))
    if width - wide - 3 < _BESIDE:
        return page.append_text(markup.folded(f"\n{guide.rules}\n", width)).append("\n").append_text(picture)
    return page.append("\n").append_text(_beside(picture, wide, markup.folded(guide.rules, width - wide - 3)))


def _example(guide: Guide, position: Position) -> Text:
    """The smallest picture of the first lesson, else of the start."""
    kind = registration_of(position.game)
    shown = guide.lessons[0].begin(kind) if guide.lessons else Position(position.game, 1)
    view = shown.view()
    picture: Text = view.game.pictures(view.state, view.seat, view.last, False)[-1]
    return picture


def _beside(picture: Text, wide: int, words: Text) -> Text:
    """Two texts side by side; where the picture ends, the words go on with the same margin."""
    page = Text()
    left, right = picture.split("\n", allow_blank=True), words.split("\n", allow_blank=True)
    for row in range(max(len(left), len(right))):
        line = left[row] if row < len(left) else Text()
        page.append_text(line)
        if row < len(right) and right[row].plain:
            page.append(" " * (wide - len(line) + 3)).append_text(right[row])
        page.append("\n")
    page.right_crop(1)
    return page


def explained(position: Position, text: str) -> str:
    """What a move means, in words; raises IllegalMove with the reason why it cannot be made."""
    view = position.view()
    move = view.parse(text)
    words = view.spoken_move(move)
    return f"{move}: {'a legal move here' if words == str(move) else words}"
