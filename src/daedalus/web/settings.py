"""Every number that bounds what clients of the server can ask for, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What a server allows."""

    body: int = 16_384  # bytes of a request
    message: int = 4_096  # bytes of a socket's message
    messages_a_second: float = 20.0
    burst: int = 60  # messages at once
    effort: float = 0.25  # of every second, for drawing what the clients of one address ask to see
    effort_burst: float = 2.0  # seconds of it at once
    move_text: int = 200  # letters of a move
    touches: int = 12  # of a move under way
    touch_text: int = 80
    spec_text: int = 120
    options: int = 40
    option_text: int = 200
    outgoing: int = 64  # messages that wait for a slow client
    hello_seconds: float = 10.0  # for a client to say who it is

    think_seconds: float = 2.0  # of an agent's move without a clock, unless its spec says
    most_seconds: float = 10.0  # of any search
    most_simulations: int = 1_000_000
    most_threads: int = 1
    most_nodes: int = 2_000_000
    most_table: int = 20
    hint_seconds: float = 2.0
    stubborn_seconds: float = 30.0  # until a search that does not stop is ended with its process
    job_seconds: float = 600.0  # of a search with all that it compiles first
    workers: int = 2  # searches at once
    waiting: int = 200  # searches that wait
    waiting_a_client: int = 8
    again_seconds: float = 2.0  # until what failed by no fault of an agent is tried again
    agents_kept: int = 4  # by a worker, with their trees

    tables: int = 20_000  # running ones in the store
    tables_a_client: int = 200  # running ones
    tables_a_minute: int = 120  # new ones, of an address
    in_memory: int = 2_000
    idle_seconds: float = 120.0  # until a table that nobody is at leaves memory
    listed: int = 50  # of a client's own games
    sockets: int = 1_000
    sockets_an_address: int = 256
    sockets_a_table: int = 64
    watchers_a_table: int = 48  # of them, so that players always find a place
    plies: int = 2_000  # of a game; a longer one is a draw
    pace_seconds: float = 0.7  # between moves of agents alone
    most_pace: float = 60.0
    thoughts_a_second: float = 5.0
