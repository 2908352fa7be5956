import { objects, type FileFormat } from "@metrum/contract";
import { ApiError, receive } from "#lib/call";
import { saveFile } from "#lib/csv";

/** Saves the whole tree as a spreadsheet; a failure has been shown. */
export async function saveTree(format: FileFormat): Promise<void> {
  try {
    const { name, content } = await receive(objects.export, { body: { format } });
    saveFile(name, content);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
