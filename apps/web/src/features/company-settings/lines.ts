import type { Call } from "@metrum/contract";
import { refetch } from "#lib/call";
import { confirm } from "#ui/dialog";
import { snack } from "#ui/snackbar";

type Told = () => Promise<{ readonly msg: string }>;

/** Changes a line of a list and shows the list as it is then. */
export async function changeLine(list: Call, change: Told): Promise<void> {
  await change().then(
    ({ msg }) => snack(msg),
    // Told by the call itself.
    () => undefined,
  );
  await refetch(list);
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

/** Removes a line of a list, when it is meant. */
export async function removeLine(list: Call, question: Question, remove: Told): Promise<void> {
  if (await confirm({ ...question, isHarmful: true })) await changeLine(list, remove);
}
