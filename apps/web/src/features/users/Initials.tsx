import { initialsOf } from "./users.ts";

/** Avatar placeholder. */
export function Initials({ name }: { readonly name: string }) {
  return (
    <span className="initials" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
