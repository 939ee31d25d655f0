"""What a seat knows of the cards, and dealing the rest: known are its own goals, what was found, and what stops rule out.

Who ends a move on an object and does not find it does not look for it, and everybody sees that: `s.ruled_out[p]` holds
those objects as bits, until seat p finds its goal and looks for another one. If goals are found in any order, the seat
does not have that card at all, so it stays ruled out.

In a play-out the unknown cards are dealt one by one, when somebody looks at them: `w.unseen` holds the places of the deck
not dealt yet, `w.cards` from `w.dealt` on the cards. Only goals of which something is ruled out are dealt at its beginning.
"""

import numpy as np

from daedalus.core import ONE, ZERO, U, helper, lowest, nth_bit, popcount, random_below, random_unit

NEXT, OWN, ANY = 0, 1, 2  # which of its own goals a seat knows; ANY: all, and finds them in any order
POSSIBLE, SUSPECTED = 1, 2  # how goals are dealt of which something is known: all possible ones alike, or by w.weight
LEFT_OVER = 4  # the pile of the cards that nobody has, after those of the seats
_OBJECTS = (1 << 27) - 2  # markers 1..26 as bits


@helper
def note_stop(self, s, seat, before):
    """Everybody saw where the seat stopped and whether it found a goal there, having found so many before.

    Moves that are really made are noted, not the turns of play-outs: nobody deals again in the middle of one.
    """
    found, cards = np.int64(s.found[seat]), np.int64(s.cards)
    if found > before:
        if self.goals != ANY or found >= cards:
            s.ruled_out[seat] = 0
    elif found < cards:
        marker = np.int64(s.marker[s.pawn[seat]])
        s.ruled_out[seat] = np.int64(s.ruled_out[seat]) | ((1 << marker) & _OBJECTS)


@helper
def unknown(self, s, seat):
    """The places of the deck whose cards a seat does not know, as bits."""
    cards = np.int64(s.cards)
    places = ZERO
    for p in range(self.players):
        found = min(np.int64(s.found[p]), cards)
        if p == seat:
            known = cards if self.goals != NEXT else found + 1
        elif self.open:
            known = cards if self.goals == ANY else found + 1
        else:
            known = found
        for i in range(known, cards):
            places |= ONE << U(p * cards + i)
    for i in range(self.players * cards, np.int64(s.objects)):
        places |= ONE << U(i)
    return places


@helper
def is_sought(s, seat, places):
    """Does the seat look for a card, and is that at one of the places?"""
    found, cards = np.int64(s.found[seat]), np.int64(s.cards)
    return found < cards and (places >> U(seat * cards + found)) & ONE != ZERO


# --- dealing ----------------------------------------------------------------------------------------------------------


@helper
def hide(self, s, w, seat):
    """Prepares deals of what a seat does not know; returns the places of the deck as bits.

    w.cards are the cards, in the order of the alphabet, so that nothing shines through; w.possible[p] those that p may
    look for; w.evidence tells whether that matters. Who suspects goals by w.weight sets it to SUSPECTED.
    """
    places = unknown(self, s, seat)
    pool = ZERO
    rest = places
    while rest != ZERO:
        pool |= ONE << U(s.deck[lowest(rest)])
        rest &= rest - ONE
    w.hidden = 0
    rest = pool
    while rest != ZERO:
        w.cards[w.hidden] = lowest(rest)
        w.hidden += 1
        rest &= rest - ONE
    w.evidence = 0
    for p in range(self.players):
        # what the seat itself stopped on says nothing of what it does not know: the goals after its present one
        w.possible[p] = pool if p == seat else pool & ~U(s.ruled_out[p])
        if w.possible[p] != pool and is_sought(s, p, places):
            w.evidence = POSSIBLE
    return places


@helper
def conceal(self, s, w, places):
    """A deal begins: nobody has looked at the hidden cards. Goals that evidence tells of are dealt now, the others later."""
    w.unseen = places
    w.dealt = 0
    if w.evidence:
        if self.goals == ANY:
            deal_hands(self, s, w)
        else:
            deal_sought(self, s, w)


@helper
def deal_place(s, w, place, other):
    """Puts the card w.cards[other], not dealt yet, at an unseen place of the deck."""
    card = w.cards[other]
    w.cards[other] = w.cards[w.dealt]
    w.cards[w.dealt] = card
    w.dealt += 1
    s.deck[place] = card
    w.unseen &= ~(ONE << U(place))


@helper
def deal_any(s, w, place):
    """Puts one of the cards not dealt yet, each equally likely, at an unseen place of the deck."""
    deal_place(s, w, place, w.dealt + random_below(w, w.hidden - w.dealt))


@helper
def look(self, s, w, seat):
    """The seat looks at its goal, or at all of them if it may find them in any order."""
    if w.unseen == ZERO or s.found[seat] >= s.cards:
        return
    first = seat * np.int64(s.cards)
    begin = first + np.int64(s.found[seat])
    end = first + np.int64(s.cards) if self.goals == ANY else begin + 1
    for place in range(begin, end):
        if (w.unseen >> U(place)) & ONE != ZERO:
            deal_any(s, w, place)


@helper
def deal_all(s, w):
    """Deals what is still unseen."""
    while w.unseen != ZERO:
        deal_any(s, w, lowest(w.unseen))


@helper
def deal_sought(self, s, w):
    """Deals the goal of every seat whose goal is unseen, all possible choices equally likely or as w.weight says."""
    cards = np.int64(s.cards)
    clash = True
    while clash:  # each from what is possible for it alone, until no two have the same
        clash = False
        drawn = ZERO
        for p in range(self.players):
            if is_sought(s, p, w.unseen):
                card = suspected(w, p) if w.evidence == SUSPECTED else possible(w, p)
                clash = clash or (drawn >> U(card)) & ONE != ZERO
                drawn |= ONE << U(card)
                s.deck[p * cards + np.int64(s.found[p])] = card
    for p in range(self.players):
        place = p * cards + np.int64(s.found[p])
        if is_sought(s, p, w.unseen):
            other = w.dealt
            while w.cards[other] != s.deck[place]:
                other += 1
            deal_place(s, w, place, other)


@helper
def possible(w, seat):
    """Any card that a seat may look for."""
    return nth_bit(w.possible[seat], random_below(w, popcount(w.possible[seat])))


@helper
def suspected(w, seat):
    """A card that a seat may look for, as likely as w.weight says."""
    x = random_unit(w) * likelihood(w, seat, w.possible[seat])
    rest = w.possible[seat]
    card = np.int64(0)
    while rest != ZERO and (card == 0 or x >= 0.0):
        card = lowest(rest)
        rest &= rest - ONE
        x -= w.weight[seat, card]
    return card


@helper
def likelihood(w, seat, cards):
    """The weights of some cards of which a seat may look for one, added up."""
    total = 0.0
    rest = cards & w.possible[seat]
    while rest != ZERO:
        total += w.weight[seat, lowest(rest)]
        rest &= rest - ONE
    return total


@helper
def deal_hands(self, s, w):
    """Deals all unseen cards to hands and the pile left over, each where it is possible, in any order.

    Cards with the fewest hands to go to come first; where one finds no room, all are dealt again. With two players all
    possible deals are equally likely, with more nearly so.
    """
    dealt = False
    while not dealt:
        make_room(self, s, w)
        dealt = True
        for choices in range(1, LEFT_OVER + 2):
            for i in range(w.hidden):
                card = np.int64(w.cards[i])
                if dealt and hands_for(self, s, w, card) == choices:
                    dealt = deal_to_hand(self, s, w, card)
    w.dealt = w.hidden
    w.unseen = ZERO


@helper
def make_room(self, s, w):
    """w.room: how many unseen cards each seat has, and how many are left over."""
    w.room[LEFT_OVER] = w.hidden
    for p in range(self.players):
        w.room[p] = np.int64(s.cards) - np.int64(s.found[p]) if is_sought(s, p, w.unseen) else 0
        w.room[LEFT_OVER] -= w.room[p]


@helper
def hands_for(self, s, w, card):
    """How many hands a card may be in, the pile left over counted as one."""
    n = 1 if np.int64(s.objects) > self.players * np.int64(s.cards) else 0
    for p in range(self.players):
        if (w.possible[p] >> U(card)) & ONE != ZERO and is_sought(s, p, w.unseen):
            n += 1
    return n


@helper
def deal_to_hand(self, s, w, card):
    """Deals a card where it may be, more likely where more room is; returns whether there was room."""
    total = w.room[LEFT_OVER]
    for p in range(self.players):
        if (w.possible[p] >> U(card)) & ONE != ZERO:
            total += w.room[p]
    if total == 0:
        return False
    k = random_below(w, total)
    for p in range(self.players):
        if (w.possible[p] >> U(card)) & ONE != ZERO:
            if k < w.room[p]:
                s.deck[(p + 1) * np.int64(s.cards) - w.room[p]] = card
                w.room[p] -= 1
                return True
            k -= w.room[p]
    s.deck[np.int64(s.objects) - w.room[LEFT_OVER]] = card
    w.room[LEFT_OVER] -= 1
    return True
