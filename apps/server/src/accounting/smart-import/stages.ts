import { Problem } from "@metrum/contract";

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
    throw new Problem(code, {
      params,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([path, faults]) => {
          const [first = "", ...rest] = path.split(".");
          const whole = names[path];
          return [whole ?? [names[first] ?? first, ...rest].join("."), faults];
        }),
      ),
    });
  }
}
