import { Counter, Gauge, Registry } from "prom-client";

/** A metric of this process on `/metrics`; read at scrape time. No names, addresses or readings. */
export interface Figure {
  /** Prometheus name: metrum_..., a counter ends with _total. */
  readonly name: string;
  readonly help: string;
  /** A counter never decreases. */
  readonly kind: "counter" | "gauge";
  readonly read: () => number;
}

export interface Metrics {
  /** Registers metrics, those of one name as their sum; returns the function that removes them. */
  add(figures: readonly Figure[]): () => void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const register = new Registry();
  const registered = new Map<string, Set<Figure>>();
  return {
    add(figures) {
      for (const figure of figures) {
        const same = registered.get(figure.name) ?? new Set();
        if (same.size === 0) add(register, figure, same);
        registered.set(figure.name, same.add(figure));
      }
      return () => {
        for (const figure of figures) {
          const same = registered.get(figure.name);
          same?.delete(figure);
          if (same?.size === 0) register.removeSingleMetric(figure.name);
        }
      };
    },
    text: () => register.metrics(),
  };
}

function add(register: Registry, { name, help, kind }: Figure, same: ReadonlySet<Figure>): void {
  const given = { name, help, registers: [register] };
  const sum = (): number => [...same].reduce((all, { read }) => all + read(), 0);
  if (kind === "gauge")
    new Gauge({
      ...given,
      collect() {
        this.set(sum());
      },
    });
  else
    new Counter({
      ...given,
      collect() {
        this.reset();
        this.inc(sum());
      },
    });
}
