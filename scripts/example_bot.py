#!/usr/bin/env python3
"""A bot for Doorcard that needs nothing but Python 3: an example of the protocol in crates/bots/PROTOCOL.md.

    doorcard match 'exec:python3 scripts/example_bot.py' rock

or, as a program that listens and serves as many connections as are opened:

    python3 scripts/example_bot.py --listen 7000
    doorcard match tcp:localhost:7000 rock

It plays every table: it judges its cards by simple rules, bets good ones, calls with fair ones, and now and then
bluffs. A request holds all that its seat may know, so the bot remembers nothing between them; its only chance is the
number `luck`, so that the same match is played again the same.
"""

import argparse
import json
import random
import socketserver
import sys

RANKS = "23456789TJQKA"


def high_strength(cards, shown):
    """What cards are worth for high, from 0 to 1; `shown` are the ranks that others show."""
    ranks = [RANKS.index(card[0]) for card in cards]
    suits = [card[1] for card in cards]
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    pairs = [rank for rank in set(ranks) if ranks.count(rank) >= 2]
    if counts[0] >= 3 or len(counts) > 1 and counts[0] == counts[1] == 2:
        return 0.95 if counts[0] >= 3 else 0.8
    flush = max(suits.count(suit) for suit in suits)
    straight = max(len(set(range(low, low + 5)) & set(ranks)) for low in range(-1, 9))
    if flush >= 5 or straight >= 5:
        return 0.97
    if pairs:
        # A pair that nobody's up cards beat is worth more.
        best = max(pairs)
        return 0.45 + 0.02 * best + (0.1 if not shown or best > max(shown) else 0)
    to_come = 7 - len(cards)
    if to_come and flush == min(len(cards), 4):
        return 0.55
    if to_come and straight == min(len(cards), 4):
        return 0.4
    return 0.02 * max(ranks)


def low_strength(cards):
    """What cards are worth for low, from 0 to 1: how many different low ones there are among them."""
    low = {card[0] for card in cards if card[0] in "A2345678"}
    wanted = min(5, len(cards))
    return max(0.0, 1 - 0.3 * (wanted - len(low))) * (0.9 if len(cards) > 4 else 0.75)


def strength(request):
    """How good the seat's cards are, from 0 to 1."""
    seat, variant = request["seat"], request["game"]["variant"]
    cards = request["down"] + request["up"][seat] + ([request["board"]] if request["board"] else [])
    others = [up for who, up in enumerate(request["up"]) if who != seat and who not in request["folded"]]
    shown = [RANKS.index(card[0]) for up in others for card in up]
    if variant == "razz":
        return low_strength(cards)
    high = high_strength(cards, shown)
    return high if variant == "high" else max(high, 0.8 * low_strength(cards))


def act(request):
    """The reply to a request: one of the actions it offers."""
    chance = random.Random(int(request["luck"])).random()
    offers = request["actions"]
    find = lambda word: [offer for offer in offers if offer["action"] == word]
    raises, stay = find("raise to"), find("check") or find("bring in") or find("call")
    value = strength(request)
    price = request["to_call"] / (request["pot"] + request["to_call"])
    if raises and (value > 0.7 or value > 0.55 and request["bets_this_street"] < 2 or chance < 0.04):
        return raises[-1] if value > 0.9 else raises[0]
    if stay and (request["to_call"] == 0 or value > price + 0.15):
        return stay[0]
    return (find("check") or find("fold") or stay)[0]


def answer(line):
    """The reply to a line."""
    request = json.loads(line)
    if request["type"] == "hello":
        return {"name": "example"}
    return {"id": request["id"], **act(request)}


def serve(lines, write):
    """Answers line by line until there are no more."""
    for line in lines:
        write((json.dumps(answer(line)) + "\n").encode())


class Handler(socketserver.StreamRequestHandler):
    """One connection."""

    disable_nagle_algorithm = True

    def handle(self):
        try:
            serve(self.rfile, self.wfile.write)
        except ConnectionError:
            pass


class Server(socketserver.ThreadingTCPServer):
    """A thread for every connection: Doorcard opens one for each of its threads."""

    allow_reuse_address = True
    daemon_threads = True


def main():
    parser = argparse.ArgumentParser(description="An example bot for Doorcard.")
    parser.add_argument("--listen", type=int, metavar="PORT", help="listen there (0 for any free port) instead of reading standard input")
    port = parser.parse_args().listen
    if port is None:

        def write(reply):
            sys.stdout.buffer.write(reply)
            sys.stdout.buffer.flush()

        serve(sys.stdin.buffer, write)
    else:
        with Server(("127.0.0.1", port), Handler) as server:
            print("listening on 127.0.0.1:%d" % server.server_address[1], flush=True)
            server.serve_forever()


if __name__ == "__main__":
    main()
