import type { Call } from "@metrum/contract/core";
import { refetch } from "#lib/call";
import { confirm } from "#ui/dialog";
import { snack } from "#ui/snackbar";

type Told = () => Promise<{ readonly msg: string }>;

/** Changes an entry of a list and shows the updated list. */
export async function changeLine(list: Call, change: Told): Promise<void> {
  await change().then(
    ({ msg }) => snack(msg),
    // The call itself reports the failure.
    () => undefined,
  );
  await refetch(list);
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

/** Removes an entry of a list after confirmation. */
export async function removeLine(list: Call, question: Question, remove: Told): Promise<void> {
  if (await confirm({ ...question, isHarmful: true })) await changeLine(list, remove);
}
