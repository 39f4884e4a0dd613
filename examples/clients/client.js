// Plays at a Houseway table as a guest and prints a line for each round. An ES module for a browser:
//
//     import { play } from "./client.js";
//     await play({ house: "http://127.0.0.1:7777", rules: "mbs-2020", rounds: 3, print: console.log });
//
// The house must know the page it is used from: `houseway serve --origin http://127.0.0.1:8000`.

const PATIENCE = 5000; // milliseconds before a command without an answer is sent again

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
/** Plays a number of rounds: at a table that is there, or at a new one of a rulebook, with bots. */
export async function play({ house = location.origin, rules = "mbs-2020", table, rounds = 3, print }) {
  const player = Object.assign(new Player(), { house, rounds, print });
  const { you } = await player.post("/api/guest");
  table ??= (await player.post("/api/tables", { rules, bots: 3 })).table;
  Object.assign(player, { me: you.person, table });
  print(`I am ${you.name}, at table ${table}`);
  while (!player.done) {
    const why = await player.connect();
    if (!player.done) {
      print(`cut off, coming back: ${why}`);
      await pause(200);
    }
  }
}

class Player {
  update = null; // the table as we last saw it
  pending = null; // a command that was not answered yet
  answered = 0; // the version of the table at which our last command was answered
  acted = 0; // the version that our last command was made for
  round = 0;
  spoke = 0; // the round we last said words in
  fees = 0;
  done = false;

  /** Asks the house for something over HTTP. The cookie says who we are. */
  async post(path, body) {
    const headers = { "Content-Type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body), credentials: "include" };
    const answer = await fetch(this.house + path, request);
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.error.says);
    return said;
  }

  /** Listens and acts until the connection is cut, or all is done. */
  connect() {
    const socket = new WebSocket(this.house.replace("http", "ws") + "/api/socket");
    const say = (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
    // Sent again under the same id, a command is never done twice.
    const again = setInterval(() => say(this.pending ?? { type: "ping" }), PATIENCE);
    let turn = Promise.resolve(); // messages are taken one after the other
    socket.onopen = () => {
      // With the version we have, the house tells what happened since: no round is missed.
      say({ type: "watch", table: this.table, since: this.update?.version ?? null });
      if (this.pending) say(this.pending);
    };
    return new Promise((cut, failed) => {
      socket.onmessage = ({ data }) => {
        turn = turn.then(() => this.take(JSON.parse(data), say)).catch(failed);
        turn.then(() => this.done && socket.close());
      };
      socket.onclose = ({ code, reason }) => {
        clearInterval(again);
        turn.then(() => cut(reason || code));
      };
    });
  }

  async take(message, say) {
    if (this.done) return;
    if (message.type === "table") this.hear(message);
    if (message.type === "answer" && message.id === this.pending?.id) {
      [this.pending, this.answered] = [null, message.version];
      if (message.answer.answer === "refused") this.print(`refused: ${message.answer.says}`);
    }
    if (message.type === "failed" || message.type === "wrong") {
      if (!message.again) throw new Error(message.why);
      await pause(200);
      if (this.pending) say(this.pending);
    }
    // One command at a time, and one for each version of the table, which must be no older than the
    // last answer: else we would act on what we have changed already.
    const version = this.update?.version ?? 0;
    if (this.pending || version < this.answered || version <= this.acted) return;
    this.acted = version;
    const command = await this.choose();
    if (!command) return;
    this.pending = { type: "command", table: this.table, id: crypto.randomUUID(), command };
    say(this.pending);
  }

  /** The table has changed. */
  hear(update) {
    this.update = update;
    for (const event of update.happened) {
      if (event.event === "bets-opened") [this.round, this.fees] = [event.round, 0];
      if (event.event === "fee-taken" && event.person === this.me) this.fees += event.amount;
      if (event.event === "settled" && this.rounds > 0) {
        this.print(this.statement(event.lines));
        this.rounds -= 1;
      }
    }
  }

  /** What a round came to for us, in a line. Amounts are whole cents. */
  statement(lines) {
    const net = (line) => line.paid - line.taken - line.commission;
    const mine = lines.filter((line) => line.owner.person === this.me);
    const told = mine.map((line) => `${line.bet} ${line.ending} ${net(line) / 100} (${line.clauses[0]})`);
    const total = mine.reduce((sum, line) => sum + net(line), -this.fees);
    return `round ${this.round}: ${told.join(", ") || "no wager"}; ${total / 100} with fees`;
  }

  /** What to do next: one of the things the house offers, or nothing. */
  async choose() {
    const { view, "house-options": beside } = this.update;
    const seat = view.seats.find((it) => it.person === this.me);
    const position = seat?.position;
    const offer = (what, more = {}) => view.options.find((it) =>
      it.do === what && Object.entries(more).every(([name, value]) => it[name] === value));
    if (this.rounds === 0 && seat) return offer("leave", { position }) && { do: "leave", position };
    if (this.rounds === 0) {
      const take = offer("take-money");
      this.done = !take;
      return take && { do: "take-money", amount: take.most };
    }
    if (!seat && !view.stack) return { do: "bring-money", amount: 100_000 };
    if (!seat) return offer("sit");
    if (offer("decline-bank")) return { do: "decline-bank" };
    const wager = offer("place", { position, wager: "standard" });
    if (wager && !seat.stakes.standard) {
      return { do: "place", position, wager: "standard", amount: wager.least };
    }
    if (beside.includes("say") && this.spoke !== this.round) {
      this.spoke = this.round;
      return { do: "say", words: "seven come eleven" }; // they help to cut the deck
    }
    if (offer("view", { position })) return { do: "view", position };
    if (offer("set", { position }) && seat.hand.cards === "dealt") {
      const { setting } = await this.post("/api/set", { rules: view.rules, cards: seat.hand.dealt });
      return { do: "set", position, low: setting.low };
    }
    const waiting = ["idle", "betting", "revealed"].includes(view.phase.name);
    return waiting && beside.includes("ready") && { do: "ready" };
  }
}
