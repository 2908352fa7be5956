import { z } from "zod/mini";
import type { Entry } from "./results.ts";

/** Among what a session leaves behind: signing out forgets it. */
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

/** Places that were opened from here, the last one first. */
export function recentEntries(): Kept {
  try {
    return Recent.parse(JSON.parse(localStorage.getItem(key) ?? "")).recent;
  } catch {
    return [];
  }
}

/** Only places are remembered; a command is not done again by mistake. */
export function rememberEntry({ id, title, text, icon, href }: Entry): void {
  if (href === undefined) return;
  const kept = { id, title, ...(text === undefined ? {} : { text }), icon, href };
  const recent = [kept, ...recentEntries().filter((each) => each.href !== href)].slice(0, most);
  localStorage.setItem(key, JSON.stringify({ recent }));
}
