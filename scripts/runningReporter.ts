import type { Reporter, TestCase, TestModule } from "vitest/node";

interface Running {
  readonly sinceMs: number;
  test?: string;
}

const longMs = 120_000;

/**
 * Names the files that have been running for two minutes, and the test that each began last: a run that does
 * not end then says where. The output of a file appears only when it has ended.
 */
export default class RunningReporter implements Reporter {
  readonly #running = new Map<string, Running>();
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#timer = setInterval(() => {
      this.#print();
    }, longMs);
    this.#timer.unref();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#running.set(relativeModuleId, { sinceMs: Date.now() });
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    const running = this.#running.get(module.relativeModuleId);
    if (running) running.test = fullName;
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #print(): void {
    for (const [file, { sinceMs, test }] of this.#running) {
      const seconds = Math.round((Date.now() - sinceMs) / 1000);
      if (seconds * 1000 >= longMs)
        console.log(`running for ${String(seconds)} s: ${file}${test === undefined ? "" : `, in "${test}"`}`);
    }
  }
}
