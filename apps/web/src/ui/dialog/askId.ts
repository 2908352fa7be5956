import { say } from "#ui/snackbar";
import { askText } from "./requests.ts";

interface Question {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly action: string;
  /** The number that must be typed. */
  readonly id: number;
  /** Message shown when another one was typed. */
  readonly mismatch: string;
}

/** Confirms something that cannot be undone by the number of its subject. True when it was typed. */
export async function askId({ id, mismatch, ...question }: Question): Promise<boolean> {
  const typed = await askText({ ...question, isHarmful: true, isRequired: true, minLength: 1, size: 450 });
  if (typed === null) return false;
  if (typed !== String(id)) await say(mismatch, {}, "error");
  return typed === String(id);
}
