import { createHash } from "node:crypto";
import { problem } from "@metrum/contract/core";
import {
  designBounds,
  designCode,
  designFiles,
  designPictures,
  type DesignFile,
} from "@metrum/contract/platform";
import { pictureOf, type PublicCtx } from "#core";

/** A validated file with its public name. */
export interface CheckedFile {
  readonly field: DesignFile;
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * All files of a form, validated. Problem: wrong_input with a code by field (picture_type, picture_bytes,
 * picture_pixels, code_bytes, code_text, unknown_file).
 */
export function checkFiles(files: PublicCtx["files"]): CheckedFile[] {
  return [...files].map(([given, bytes]) => {
    const field = designFiles.find((each) => each === given);
    if (field === undefined) throw wrong(given, "unknown_file");
    const kind = endingOf(field, bytes);
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    return { field, name: `${hash}.${kind}`, bytes };
  });
}

/** The media type of a served file by its name; undefined for an unknown name. */
export function mediaTypeOf(name: string): string | undefined {
  const ending = /^[\da-f]{32}\.(png|jpg|webp|css|js)$/.exec(name)?.[1];
  return ending === undefined ? undefined : mediaTypes[ending];
}

const mediaTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

function endingOf(field: DesignFile, bytes: Buffer): string {
  if (designPictures.some((each) => each === field)) return pictureEnding(field, bytes);
  if (bytes.length > designBounds.codeBytes) throw wrong(field, "code_bytes");
  if (!isText(bytes)) throw wrong(field, "code_text");
  return field === designCode[0] ? "css" : "js";
}

function pictureEnding(field: DesignFile, bytes: Buffer): string {
  if (bytes.length > designBounds.pictureBytes) throw wrong(field, "picture_bytes");
  const picture = pictureOf(bytes);
  if (!picture || picture.width === 0 || picture.height === 0) throw wrong(field, "picture_type");
  if (picture.width * picture.height > designBounds.pixels) throw wrong(field, "picture_pixels");
  return picture.type;
}

function isText(bytes: Buffer): boolean {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(bytes).includes("\0");
  } catch {
    return false;
  }
}

function wrong(field: string, code: string) {
  return problem("wrong_input", { attributes: { [field]: [code] } });
}
