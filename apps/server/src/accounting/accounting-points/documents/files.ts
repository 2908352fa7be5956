import { pointBounds, type PointFile } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import { barePicture, pictureOf, record, resolveOne, type Ctx } from "#core";
import { isActivePdf } from "./activePdf.ts";
import { devicesOf, lockPoint, subjectOf } from "../records/index.ts";
import * as store from "./fileStore.ts";
import { cleanName } from "./fileName.ts";
import { fileType, type FileType } from "./fileType.ts";

/** Files of a point, newest first. Problem: not_found. */
export async function pointFilesOf(ctx: Ctx, given: number): Promise<PointFile[]> {
  return store.filesOf(ctx.db, await resolveOne(ctx, "accountingPoint", given));
}

interface Upload {
  readonly id: number;
  readonly name?: string | undefined;
  readonly note?: string | undefined;
  readonly tie_number?: number | undefined;
  readonly base64?: string | undefined;
}

/**
 * Keeps a file of a point; of a photograph the picture alone, without place and owner of the camera. Problems:
 * not_found, wrong_input, too_large, point_file_type, point_file_pixels, point_file_script, point_file_limit,
 * point_file_quota.
 */
export async function keepFile(ctx: Ctx, { id: given, base64, ...upload }: Upload): Promise<PointFile> {
  const { db, scope } = ctx;
  const pointId = await lockPoint(ctx, given);
  const sent = ctx.files.get("file") ?? (base64 === undefined ? undefined : Buffer.from(base64, "base64"));
  if (!sent) throw problem("wrong_input", { attributes: { file: ["required"] } });
  if (sent.length > pointBounds.fileBytes) throw problem("too_large");
  const type = fileType(sent);
  if (!type) throw refused("point_file_type");
  const content = examined(sent, type);
  const tieId = upload.tie_number ?? null;
  if (tieId !== null && !(await devicesOf(db, pointId)).some((tie) => tie.id === tieId))
    throw problem("not_found");
  if ((await store.filesOf(db, pointId)).length >= pointBounds.files)
    throw problem("point_file_limit", { params: { max: pointBounds.files } });
  if ((await store.bytesOfCompany(db, scope)) + content.length > pointBounds.companyFileBytes)
    throw problem("point_file_quota");
  const { name = "", note = "" } = upload;
  const id = await store.insertFile(db, scope, {
    ...{ pointId, tieId, type: type.media, content, note },
    name: cleanName(name, type.ending),
  });
  const file = (await store.filesOf(db, pointId)).find((each) => each.id === id);
  if (!file) throw new Error("a file that was stored has no row");
  await record(ctx, {
    action: "point.file",
    subject: subjectOf(pointId),
    after: { name: file.name, bytes: file.bytes },
  });
  return file;
}

/** What is stored of a file. Problems: point_file_type, point_file_pixels, point_file_script. */
function examined(sent: Buffer, { ending }: FileType): Buffer {
  if (ending === "pdf") {
    if (isActivePdf(sent)) throw refused("point_file_script");
    return sent;
  }
  const size = pictureOf(sent);
  const content = barePicture(sent);
  if (!size || size.width === 0 || size.height === 0 || !content) throw refused("point_file_type");
  if (size.width * size.height > pointBounds.filePixels) throw refused("point_file_pixels");
  return content;
}

function refused(code: "point_file_type" | "point_file_pixels" | "point_file_script") {
  const params = code === "point_file_pixels" ? { max: pointBounds.filePixels / 1_000_000 } : {};
  return problem(code, { attributes: { file: [code] }, params });
}

interface Named {
  readonly accounting_point_id: number;
  readonly file_number: number;
}

/** A file of a point with its bytes. Problem: not_found. */
export async function openFile(
  ctx: Ctx,
  { accounting_point_id, file_number }: Named,
): Promise<{ file: PointFile; base64: string }> {
  const pointId = await resolveOne(ctx, "accountingPoint", accounting_point_id);
  const file = (await store.filesOf(ctx.db, pointId)).find(({ id }) => id === file_number);
  const content = file && (await store.contentOf(ctx.db, pointId, file.id));
  if (!file || !content) throw problem("not_found");
  return { file, base64: content.toString("base64") };
}

/** Problem: not_found. */
export async function deleteFile(ctx: Ctx, { accounting_point_id, file_number }: Named): Promise<void> {
  const pointId = await lockPoint(ctx, accounting_point_id);
  const name = await store.removeFile(ctx.db, pointId, file_number);
  if (name === undefined) throw problem("not_found");
  await record(ctx, { action: "point.file", subject: subjectOf(pointId), before: { name } });
}
