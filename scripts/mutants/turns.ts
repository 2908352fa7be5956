/** What takes a time. */
interface Timed {
  readonly ms: number;
}

/** Files of tests, the quickest first; those that take longer than `mostMs` not at all, unless all do. */
export function quickFiles(
  files: readonly string[],
  msOf: Readonly<Record<string, number>>,
  mostMs: number,
): string[] {
  const timeOf = (file: string): number => msOf[file] ?? 0;
  return files
    .toSorted((a, b) => timeOf(a) - timeOf(b))
    .filter((file, at) => at === 0 || timeOf(file) <= mostMs);
}

/** Lets tests judge, the quickest first, and gives the mutants that they have left unjudged. */
export async function judgeInTurn<Test extends Timed>(
  tests: readonly Test[],
  judge: (test: Test) => Promise<readonly number[]>,
): Promise<ReadonlySet<number>> {
  const unjudged = new Set<number>();
  for (const test of tests.toSorted((a, b) => a.ms - b.ms))
    for (const id of await judge(test)) unjudged.add(id);
  return unjudged;
}
