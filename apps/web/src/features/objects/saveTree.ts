import { objects } from "@metrum/contract/accounting";
import type { FileFormat } from "@metrum/contract/core";
import { ApiError, receive } from "#lib/call";
import { saveFile } from "#lib/csv";
import { isPermitted } from "./permitted.ts";

/** Saves the whole tree as a spreadsheet; a failure has been shown. */
export async function saveTree(format: FileFormat): Promise<void> {
  if (!isPermitted(objects.export)) return;
  try {
    const { name, content } = await receive(objects.export, { body: { format } });
    saveFile(name, content);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
