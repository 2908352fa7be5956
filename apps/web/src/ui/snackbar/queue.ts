import { snackHistory } from "./history.ts";

/** Milliseconds on the screen by kind; an undo stays longer, because there is no other way back. */
export const snackMs = { info: 5000, error: 5000, brief: 2000, "event-device": 5000, undo: 8000 } as const;
export type SnackKind = keyof typeof snackMs;

export interface SnackInput {
  readonly kind?: SnackKind;
  readonly text: string;
  readonly action?: { readonly title: string; readonly run: () => void };
}

export interface Snack extends SnackInput {
  readonly id: number;
  readonly kind: SnackKind;
}

/** More would hide the page; the oldest is removed. */
const most = 4;

interface Timer {
  /** Schedules a callback; returns the cancel function. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly now: () => number;
}

const realTimer: Timer = {
  after: (ms, run) => {
    const handle = setTimeout(run, ms);
    return () => clearTimeout(handle);
  },
  now: () => performance.now(),
};

interface Clock {
  readonly leftMs: number;
  readonly since: number;
  readonly stop: () => void;
}

/** Snackbar messages. Timers are paused while the pointer or the focus is there. */
export function createSnackQueue(timer: Timer = realTimer, note: (snack: Snack) => void = () => undefined) {
  let snacks: readonly Snack[] = [];
  let next = 1;
  let isPaused = false;
  const listeners = new Set<() => void>();
  const clocks = new Map<number, Clock>();

  const change = (now: readonly Snack[]) => {
    snacks = now;
    for (const each of listeners) each();
  };
  const stop = (id: number) => {
    clocks.get(id)?.stop();
    clocks.delete(id);
  };
  const close = (id: number) => {
    stop(id);
    if (snacks.some((each) => each.id === id)) change(snacks.filter((each) => each.id !== id));
  };
  const run = (id: number, leftMs: number) => {
    const stopTimer = isPaused ? () => undefined : timer.after(leftMs, () => close(id));
    clocks.set(id, { leftMs, since: timer.now(), stop: stopTimer });
  };

  return {
    get: () => snacks,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
    show: (input: SnackInput): number => {
      const kind = input.kind ?? "info";
      // A repeated message only restarts the timer of the first.
      for (const each of snacks)
        if (each.kind === kind && each.text === input.text && !input.action) stop(each.id);
      const kept = snacks.filter((each) => clocks.has(each.id)).slice(1 - most);
      for (const each of snacks) if (!kept.includes(each)) stop(each.id);
      const snack = { ...input, kind, id: next++ };
      change([...kept, snack]);
      run(snack.id, snackMs[kind]);
      note(snack);
      return snack.id;
    },
    pause: () => {
      if (isPaused) return;
      isPaused = true;
      for (const [id, clock] of [...clocks]) {
        clock.stop();
        run(id, Math.max(0, clock.leftMs - (timer.now() - clock.since)));
      }
    },
    resume: () => {
      if (!isPaused) return;
      isPaused = false;
      for (const [id, clock] of [...clocks]) run(id, clock.leftMs);
    },
  };
}

export const snackQueue = createSnackQueue(realTimer, snackHistory.add);

/** Shows a message for a while. */
export function snack(input: SnackInput | string): void {
  snackQueue.show(typeof input === "string" ? { text: input } : input);
}
