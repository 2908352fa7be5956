import type { Services } from "#core";

/** Full URL of a route of the web app, for letters. */
export function addressOf({ publicUrl }: Services["config"], route: string): string {
  return `${publicUrl.replace(/\/+$/, "")}/#/${route}`;
}
