"""What requests hold and answers tell, as the OpenAPI document has it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

OptionName = Annotated[str, StringConstraints(max_length=80)]
OptionText = Annotated[str, StringConstraints(max_length=200)]
Touch = Annotated[str, StringConstraints(max_length=80)]


class Asked(BaseModel):
    """A request; what it holds beyond what is known is refused."""

    model_config = ConfigDict(extra="forbid")


class Setup(Asked):
    options: dict[OptionName, OptionText] = Field(default_factory=dict, max_length=40)


class LessonAnswer(Asked):
    move: Annotated[str, StringConstraints(max_length=200)] | None = None
    touched: list[Touch] | None = Field(default=None, max_length=12)


class SeatWish(Asked):
    who: Literal["you", "friend", "agent"]
    spec: Annotated[str, StringConstraints(max_length=120)] | None = None


class NewTable(Asked):
    game: Annotated[str, StringConstraints(max_length=80)]
    options: dict[OptionName, OptionText] = Field(default_factory=dict, max_length=40)
    seats: list[SeatWish] = Field(min_length=1, max_length=4)
    clock: Annotated[str, StringConstraints(max_length=20)] | None = None
    pace: float | None = Field(default=None, ge=0, le=60, allow_inf_nan=False)


class Error(BaseModel):
    error: str


class Health(BaseModel):
    ok: bool


class Version(BaseModel):
    version: str


class GameCard(BaseModel):
    id: str
    title: str
    sentence: str
    seats: list[str]
    hidden: bool
    board: str
    lessons: int
    own: bool


class OptionInfo(BaseModel):
    name: str
    help: str
    type: str
    choices: list[str]
    low: float | None
    high: float | None
    default: str | None


class Level(BaseModel):
    name: str
    meaning: str


class GamePage(GameCard):
    rules: str
    notation: str
    options: list[OptionInfo]
    levels: list[Level]
    agents: list[Level]
    default_level: str
    seat_names: list[str]


class Demo(BaseModel):
    boards: list[str]


class SetupAnswer(BaseModel):
    seats: list[str]
    levels: list[Level]
    board: str


class LessonPage(BaseModel):
    number: int
    of: int
    say: str
    state: dict[str, Any]


class LessonReply(BaseModel):
    right: bool | None = None
    say: str | None = None
    state: dict[str, Any] | None = None
    last: bool | None = None
    preview: dict[str, Any] | None = None


class SeatGiven(BaseModel):
    seat: int
    who: str
    token: str | None


class TableMade(BaseModel):
    table: str
    seats: list[SeatGiven]


class SeatShown(BaseModel):
    name: str
    who: str
    label: str


class OwnGame(BaseModel):
    table: str
    game: str
    title: str
    you: list[int]
    seats: list[SeatShown]
    ply: int
    turn: int | None
    outcome: dict[str, Any] | None
    updated: str


class TableInfo(BaseModel):
    table: str
    game: str
    title: str


class Claimed(BaseModel):
    you: list[int]
