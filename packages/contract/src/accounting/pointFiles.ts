import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText, Nothing, Seconds } from "../core/values.ts";
import { Note } from "./pointFields.ts";
import { User } from "./pointHistory.ts";

const reads = "6:read|6:access_all";
const updates = "6:update|6:access_all";

const pointId = { accounting_point_id: Id };

const PointFile = z.object({
  id: Id,
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
  note: z.string(),
  tie_number: z.nullable(z.int()).check(z.describe("interval of the device that it belongs to")),
  user: User,
  created_at: Seconds,
});

/** Photographs and documents of points. */
export const pointFiles = {
  list: call({
    id: "point.files",
    isOwn: true,
    method: "POST",
    path: "objects/accounting_point/file/list",
    right: reads,
    reach: "branch",
    summary: "Photographs and documents of a point, newest first",
    body: z.object(pointId),
    reply: z.object({ files: z.array(PointFile) }),
    problems: ["not_found"],
  }),
  add: call({
    id: "point.addFile",
    isOwn: true,
    method: "POST",
    path: "objects/accounting_point/file/add/:id",
    right: updates,
    reach: "branch",
    summary: "Keeps a photograph or document of a point: PNG, JPEG, WebP or PDF, as a part named `file`",
    params: z.object({ id: IdText }),
    body: z.object({
      name: z.optional(z.string().check(z.trim(), z.maxLength(200))),
      note: Note,
      tie_number: z
        .optional(z.union([IdText, Id]))
        .check(z.describe("interval of the device that it belongs to, as the history answers it")),
      base64: z
        .optional(z.string().check(z.maxLength(1_000_000), z.regex(/^[A-Za-z0-9+/]*={0,2}$/)))
        .check(z.describe("a small file in place of the part")),
    }),
    reply: z.object({ file: PointFile }),
    problems: [
      "not_found",
      "demo_refused",
      "too_large",
      "point_file_type",
      "point_file_pixels",
      "point_file_script",
      "point_file_limit",
      "point_file_quota",
    ],
  }),
  get: call({
    id: "point.fileBytes",
    isOwn: true,
    method: "POST",
    path: "objects/accounting_point/file/get",
    right: reads,
    reach: "branch",
    summary: "The bytes of a file of a point in base64",
    body: z.object({ ...pointId, file_number: z.int().check(z.gte(1), z.lte(2_147_483_647)) }),
    reply: z.object({ file: PointFile, base64: z.string() }),
    problems: ["not_found"],
  }),
  delete: call({
    id: "point.deleteFile",
    isOwn: true,
    method: "DELETE",
    path: "objects/accounting_point/file/delete",
    right: updates,
    reach: "branch",
    summary: "Deletes a file of a point",
    body: z.object({ ...pointId, file_number: z.int().check(z.gte(1), z.lte(2_147_483_647)) }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
};
export type PointFile = z.infer<typeof PointFile>;
