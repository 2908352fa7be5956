import i18next from "i18next";
import { loadTexts } from "#lib/i18n";
import { snackQueue, type SnackKind } from "./queue.ts";

/** The text of a message key in the language of the interface; other text unchanged. */
export async function messageText(
  keyOrText: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  if (!/^\w+(\.\w+)*$/.test(keyOrText)) return keyOrText;
  await loadTexts("messages");
  const key = `messages:${keyOrText}`;
  return i18next.exists(key, values) ? i18next.t(key, values) : keyOrText;
}

/** Shows a message of the catalogue, or a plain text. */
export async function say(
  keyOrText: string,
  values: Readonly<Record<string, unknown>> = {},
  kind: SnackKind = "info",
): Promise<void> {
  snackQueue.show({ kind, text: await messageText(keyOrText, values) });
}
