import { initialsOf } from "./users.ts";

/** Stands for a picture that nobody has. */
export function Initials({ name }: { readonly name: string }) {
  return (
    <span className="initials" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
