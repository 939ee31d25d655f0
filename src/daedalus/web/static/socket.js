// One socket to a table, which comes back by itself.

const LONGEST = 8000; // milliseconds between two attempts

export class TableSocket {
  /**
   * @param {string} table
   * @param {() => any} hello the first message, made anew for each connection
   * @param {(message: any) => void} heard
   * @param {(connected: boolean) => void} changed
   */
  constructor(table, hello, heard, changed) {
    Object.assign(this, { closed: false, wait: 250, timer: 0 });
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.address = `${scheme}://${location.host}/api/tables/${encodeURIComponent(table)}/socket`;
    this.hello = hello;
    this.heard = heard;
    this.changed = changed;
    this.online = () => this.now();
    window.addEventListener("online", this.online);
    this.open();
  }

  open() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify(this.hello()));
      this.changed(true);
    };
    socket.onmessage = (event) => {
      let message;
      try {
        message = JSON.parse(event.data);
      } catch {
        return;
      }
      this.wait = 250;
      this.heard(message);
    };
    socket.onclose = () => {
      if (this.closed || this.socket !== socket) return;
      this.changed(false);
      this.timer = window.setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 2, LONGEST);
    };
  }

  /** Tries at once. */
  now() {
    if (this.closed || this.socket?.readyState === WebSocket.OPEN || this.socket?.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.timer);
    this.open();
  }

  /** @param {any} message @returns {boolean} whether it could be sent */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    window.removeEventListener("online", this.online);
    this.socket?.close();
  }
}
