import { pointFiles } from "@metrum/contract/accounting";
import { ApiError, send } from "#lib/call";
import { saveFile } from "#lib/csv";

/** Saves a photograph or document of a point; a failure has been shown. */
export async function openFile(accounting_point_id: number, file_number: number): Promise<void> {
  try {
    const { file, base64 } = await send(pointFiles.get, { body: { accounting_point_id, file_number } });
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    saveFile(file.name, new Blob([bytes], { type: file.type }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
