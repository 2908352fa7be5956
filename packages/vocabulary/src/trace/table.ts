/**
 * Role of the bytes of a code, and format of their number. check: the check field of a frame, hexadecimal;
 * address, function: addressee and function; hex: a code; moment: epoch seconds.
 */
export type TraceLook = "check" | "address" | "function" | "function hex" | "hex" | "moment";

/** Codes of frame contents, with their texts; `{n}` and the like are arguments of the term. */
export type TraceWords = Readonly<
  Record<string, readonly [ru: string, en: string, mn: string, look?: TraceLook]>
>;

/**
 * Codes of steps of an exchange with their words. `{n}` and the like are arguments of the code; text in
 * square brackets appears only if the step has the arguments in it.
 */
export type StepTable = Readonly<Record<string, readonly [ru: string, en: string, mn: string]>>;
