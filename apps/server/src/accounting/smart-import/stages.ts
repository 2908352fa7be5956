import { Problem } from "@metrum/contract/core";
import { ProblemOfRow } from "#metering/sheets";

/** Runs a part of a row; the fields that its problem names are columns of the file by other names. */
export async function renamed<Result>(
  names: Readonly<Record<string, string>>,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, params, attributes } = error;
    const wanted = new Problem(code, {
      params,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([path, faults]) => {
          const [first = "", ...rest] = path.split(".");
          const whole = names[path];
          return [whole ?? [names[first] ?? first, ...rest].join("."), faults];
        }),
      ),
    });
    throw error instanceof ProblemOfRow ? new ProblemOfRow(wanted, error.row) : wanted;
  }
}

/** What follows from each row; a problem is that of its row. */
export function ofEach<Row, Result>(rows: readonly Row[], of: (row: Row, at: number) => Result): Result[] {
  return rows.map((row, at) => {
    try {
      return of(row, at);
    } catch (error) {
      throw named(error, at);
    }
  });
}

/** Does something for a row; a problem is that of the row. */
export async function ofRow(at: number, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw named(error, at);
  }
}

const named = (error: unknown, at: number): unknown =>
  error instanceof Problem ? new ProblemOfRow(error, at) : error;
