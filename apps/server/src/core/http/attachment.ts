/** Characters that no file system accepts in a name, or that hide its ending. */
const unsafe = /[\\/:*?"<>|\p{Cc}\p{Cf}]/gu;

/**
 * Header of a file that the browser saves. Its name is given in UTF-8 and, for clients that do not read that,
 * in ASCII (RFC 6266, RFC 8187).
 */
export function attachment(name: string): string {
  const safe =
    name
      .replaceAll(unsafe, "_")
      .replace(/^[. ]+/, "")
      .trim() || "file";
  const ascii = safe.replaceAll(/[^\x20-\x7e]/g, "_").replaceAll(/[%;]/g, "_");
  const exact = encodeURIComponent(safe).replaceAll(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
