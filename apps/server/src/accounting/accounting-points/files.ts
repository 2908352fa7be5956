import { pointBounds, problem, type PointFile } from "@metrum/contract";
import { record, resolveOne, type Ctx } from "#core";
import { devicesOf } from "./deviceStore.ts";
import * as store from "./fileStore.ts";
import { fileType } from "./fileType.ts";
import { lockPoint, subjectOf } from "./lock.ts";

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
 * Keeps a file of a point. Problems: not_found, wrong_input, too_large, point_file_type, point_file_limit,
 * point_file_quota.
 */
export async function keepFile(ctx: Ctx, { id: given, base64, ...upload }: Upload): Promise<PointFile> {
  const { db, scope } = ctx;
  const pointId = await lockPoint(ctx, given);
  const content = ctx.files.get("file") ?? (base64 === undefined ? undefined : Buffer.from(base64, "base64"));
  if (!content) throw problem("wrong_input", { attributes: { file: ["required"] } });
  if (content.length > pointBounds.fileBytes) throw problem("too_large");
  const type = fileType(content);
  if (!type) throw problem("point_file_type", { attributes: { file: ["point_file_type"] } });
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
    name: name === "" ? `file.${type.ending}` : name,
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
