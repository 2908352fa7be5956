import { Breaker } from "./breaker.ts";
import { Lanes, type Lane } from "./lanes.ts";
import type { CodecFailure, Order, Outcome } from "./order.ts";
import { startThread, type Thread } from "./thread.ts";

const mostThreads = 2;
/** Queued calls per company: some seconds of work. */
const mostWaiting = 1_000;

interface Job extends Lane {
  readonly order: Order;
  readonly done: (outcome: Outcome) => void;
}

/** Company and name of the codec ("7" for the version with this id), for `run`. */
export type CodecLane = Lane;

/**
 * Runs codecs in at most two workers. A codec that loops or exhausts its memory costs its worker, which is
 * replaced, and after some consecutive overruns it is suspended for a minute; other codecs and companies
 * continue meanwhile.
 */
export class CodecPool {
  readonly #lanes: Lanes<Job>;
  readonly #breaker = new Breaker(() => performance.now());
  readonly #idle: Thread[] = [];
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: { readonly mostWaiting: number } = { mostWaiting }) {
    this.#lanes = new Lanes(options.mostWaiting);
  }

  /** Calls a codec. Never rejects: a failure is an outcome. */
  async run(lane: CodecLane, order: Order): Promise<Outcome> {
    if (this.#isClosed) return failed("busy", "the server is stopping");
    if (this.#breaker.isResting(nameOf(lane)))
      return failed("busy", "the codec overran its limits several times and rests for a minute");
    return new Promise<Outcome>((done) => {
      const isTaken = this.#lanes.add({ ...lane, order, done });
      if (isTaken) this.#next();
      else done(failed("busy", "too many payloads of the company wait for its codecs"));
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#lanes.drain()) job.done(failed("busy", "the server is stopping"));
    await Promise.all(this.#running);
    await Promise.all(this.#idle.splice(0).map((thread) => thread.end()));
  }

  #next(): void {
    while (this.#running.size < mostThreads) {
      const job = this.#lanes.take();
      if (!job) return;
      const running = this.#work(job).finally(() => {
        this.#running.delete(running);
        this.#lanes.done(job);
        this.#next();
      });
      this.#running.add(running);
    }
  }

  async #work(job: Job): Promise<void> {
    const name = nameOf(job);
    if (this.#breaker.isResting(name)) {
      job.done(failed("busy", "the codec overran its limits several times and rests for a minute"));
      return;
    }
    try {
      const thread = this.#idle.pop() ?? (await startThread());
      const outcome = await thread.run(job.order);
      this.#breaker.note(name, hasOverrun(outcome));
      if (thread.isAlive() && !this.#isClosed) this.#idle.push(thread);
      else await thread.end();
      job.done(outcome);
    } catch {
      job.done(failed("error", "the interpreter does not start"));
    }
  }
}

const nameOf = ({ company, codec }: Lane) => `${company}/${codec}`;

const hasOverrun = (outcome: Outcome) => outcome.kind === "failed" && outcome.failure === "time";

function failed(failure: CodecFailure, message: string): Outcome {
  return { kind: "failed", failure, message, durationMs: 0 };
}
