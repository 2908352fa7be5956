import { z } from "zod/mini";
import type { Entry } from "./results.ts";

/** Part of the session data that signing out deletes. */
const key = "metrum.appData";
const most = 6;

const Recent = z.object({
  recent: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      text: z.optional(z.string()),
      icon: z.string(),
      href: z.string(),
    }),
  ),
});
type Kept = z.infer<typeof Recent>["recent"];

/** Recently opened places, the last one first. */
export function recentEntries(): Kept {
  try {
    return Recent.parse(JSON.parse(localStorage.getItem(key) ?? "")).recent;
  } catch {
    return [];
  }
}

/** Only places are remembered, so that no command is repeated by mistake. */
export function rememberEntry({ id, title, text, icon, href }: Entry): void {
  if (href === undefined) return;
  const kept = { id, title, ...(text === undefined ? {} : { text }), icon, href };
  const recent = [kept, ...recentEntries().filter((each) => each.href !== href)].slice(0, most);
  localStorage.setItem(key, JSON.stringify({ recent }));
}
