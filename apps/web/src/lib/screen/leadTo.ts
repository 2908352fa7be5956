import { redirect } from "@tanstack/react-router";

/** Ends a guard with a redirect, which replaces the requested address. */
export function leadTo(href: string): never {
  redirect({ href, replace: true, throw: true });
  throw new Error("a redirect ends its guard");
}
