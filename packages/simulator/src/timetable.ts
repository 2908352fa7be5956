interface Entry {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Scheduled actions of a park, on one timer whatever the number of devices. */
export interface Timetable {
  after(ms: number, run: () => void): void;
  stop(): void;
}

export function createTimetable(): Timetable {
  const heap: Entry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const arm = (): void => {
    clearTimeout(timer);
    const next = heap[0];
    if (next && !stopped) timer = setTimeout(runDue, Math.max(0, next.dueMs - performance.now()));
  };
  const runDue = (): void => {
    const now = performance.now();
    for (let next = heap[0]; next && next.dueMs <= now && !stopped; next = heap[0]) {
      take(heap);
      next.run();
    }
    arm();
  };
  return {
    after(ms, run) {
      if (stopped) return;
      const entry = { dueMs: performance.now() + ms, run };
      add(heap, entry);
      if (heap[0] === entry) arm();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      heap.length = 0;
    },
  };
}

/** Binary heap by due time. */
function add(heap: Entry[], entry: Entry): void {
  let at = heap.push(entry) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (!parent || parent.dueMs <= entry.dueMs) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = entry;
}

function take(heap: Entry[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const right = left + 1;
    const a = heap[left];
    const b = heap[right];
    const smaller = b && a && b.dueMs < a.dueMs ? right : left;
    const child = heap[smaller];
    if (!child || child.dueMs >= last.dueMs) break;
    heap[at] = child;
    at = smaller;
  }
  heap[at] = last;
}
