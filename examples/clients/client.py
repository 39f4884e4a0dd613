#!/usr/bin/env python3
"""Plays at a Houseway table as a guest and prints a line for each round.

    client.py [--house http://127.0.0.1:7777] [--rules mbs-2020] [--table NUMBER] [--rounds 3]

Needs Python 3 and the package websockets (Debian 12: python3-websockets, version 10).
"""

import argparse, asyncio, json, urllib.request, uuid
import websockets

PATIENCE = 5  # seconds without a word before a command is sent again


def post(house, path, body=None, token=""):
    """Asks the house for something over HTTP."""
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + token}
    request = urllib.request.Request(house + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def statement(round, lines, fees, me):
    """What a round came to for one person, in a line. Amounts are whole cents."""
    told, total = [], -fees
    for line in (line for line in lines if line["owner"] == {"person": me}):
        net = line["paid"] - line["taken"] - line["commission"]
        total += net
        told.append(f"{line['bet']} {line['ending']} {net / 100:+.2f} ({line['clauses'][0]})")
    return f"round {round}: {', '.join(told) or 'no wager'}; {total / 100:+.2f} with fees"


class Player:
    def __init__(self, house, rules, table, rounds):
        come, wish = post(house, "/api/guest"), {"rules": rules, "bots": 3}
        self.me, self.token = come["you"]["person"], come["token"]
        self.table = table or post(house, "/api/tables", wish, self.token)["table"]
        self.house, self.rounds, self.done = house, rounds, False
        self.update = None  # the table as we last saw it
        self.pending = None  # a command that was not answered yet
        self.answered = 0  # the version of the table at which our last command was answered
        self.acted = 0  # the version that our last command was made for
        self.round = self.spoke = self.fees = 0
        print(f"I am {come['you']['name']}, at table {self.table}", flush=True)

    async def play(self):
        """Stays connected until all rounds are played."""
        address = self.house.replace("http", "ws", 1) + "/api/socket"
        headers = {"Authorization": "Bearer " + self.token}
        while not self.done:
            try:  # From version 14 on the argument is called additional_headers.
                async with websockets.connect(address, extra_headers=headers) as socket:
                    await self.talk(socket)
            except (OSError, asyncio.TimeoutError, websockets.ConnectionClosed) as error:
                print(f"cut off, coming back: {error}", flush=True)
                await asyncio.sleep(0.2)

    async def talk(self, socket):
        """Listens and acts until the connection is cut."""
        say = lambda message: socket.send(json.dumps(message))
        # With the version we have, the house tells what happened since: no round is missed.
        since = self.update and self.update["version"]
        await say({"type": "watch", "table": self.table, "since": since})
        if self.pending:
            await say(self.pending)
        while not self.done:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            except asyncio.TimeoutError:
                # Sent again under the same id, a command is never done twice.
                await say(self.pending or {"type": "ping"})
                continue
            ours = self.pending and self.pending["id"] == message.get("id")
            if message["type"] == "table":
                self.heard(message)
            elif message["type"] == "answer" and ours:
                self.pending, self.answered = None, message["version"]
                if message["answer"]["answer"] == "refused":
                    print("refused:", message["answer"]["says"], flush=True)
            elif message["type"] in ("failed", "wrong"):
                if not message.get("again"):
                    raise SystemExit(message["why"])
                await asyncio.sleep(0.2)
                await say(self.pending or {"type": "ping"})
            # One command at a time, and one for each version of the table, which must be no older
            # than the last answer: else we would act on what we have changed already.
            version = self.update["version"] if self.update else 0
            if not self.pending and version >= self.answered and version > self.acted:
                self.acted, command = version, self.choose()
                if command:
                    named = {"table": self.table, "id": str(uuid.uuid4())}
                    self.pending = {"type": "command", "command": command, **named}
                    await say(self.pending)

    def heard(self, update):
        """The table has changed."""
        self.update = update
        for event in update["happened"]:
            if event["event"] == "bets-opened":
                self.round, self.fees = event["round"], 0
            elif event["event"] == "fee-taken" and event["person"] == self.me:
                self.fees += event["amount"]
            elif event["event"] == "settled" and self.rounds > 0:
                print(statement(self.round, event["lines"], self.fees, self.me), flush=True)
                self.rounds -= 1

    def choose(self):
        """What to do next: one of the things the house offers, or nothing."""
        view, beside = self.update["view"], self.update["house-options"]
        seat = next((it for it in view["seats"] if it["person"] == self.me), None)
        here = seat and seat["position"]

        def offer(do, **what):
            fits = (it for it in view["options"] if it["do"] == do and what.items() <= it.items())
            return next(fits, None)
        if self.rounds == 0 and seat:
            return {"do": "leave", "position": here} if offer("leave", position=here) else None
        if self.rounds == 0:
            take = offer("take-money")
            self.done = not take
            return {"do": "take-money", "amount": take["most"]} if take else None
        if not seat and not view["stack"]:
            return {"do": "bring-money", "amount": 100_000}
        if not seat:
            return {"do": "sit", "position": offer("sit")["position"]} if offer("sit") else None
        if offer("decline-bank"):
            return {"do": "decline-bank"}
        wager = offer("place", position=here, wager="standard")
        if wager and not seat["stakes"].get("standard"):
            return {"do": "place", "position": here, "wager": "standard", "amount": wager["least"]}
        if "say" in beside and self.spoke != self.round:
            self.spoke = self.round
            return {"do": "say", "words": "seven come eleven"}  # they help to cut the deck
        if offer("view", position=here):
            return {"do": "view", "position": here}
        if offer("set", position=here) and seat["hand"]["cards"] == "dealt":
            hand = {"rules": view["rules"], "cards": seat["hand"]["dealt"]}
            low = post(self.house, "/api/set", hand)["setting"]["low"]
            return {"do": "set", "position": here, "low": low}
        waiting = view["phase"]["name"] in ("idle", "betting", "revealed")
        return {"do": "ready"} if waiting and "ready" in beside else None


arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
arguments.add_argument("--house", default="http://127.0.0.1:7777")
arguments.add_argument("--rules", default="mbs-2020")
arguments.add_argument("--table", type=int)
arguments.add_argument("--rounds", type=int, default=3)
asyncio.run(Player(**vars(arguments.parse_args())).play())
