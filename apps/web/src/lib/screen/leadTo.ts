import { redirect } from "@tanstack/react-router";

/** Ends a guard with another address, which takes the place of the one that was asked for. */
export function leadTo(href: string): never {
  redirect({ href, replace: true, throw: true });
  throw new Error("a redirect ends its guard");
}
