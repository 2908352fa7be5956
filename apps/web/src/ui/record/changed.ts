import { isSameContent } from "@metrum/contract/core";

/** Fields of a form that differ from the stored ones: others may change the rest meanwhile. */
export function changedFrom<Body extends object>(stored: Body, body: Body): Partial<Body> {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !isSameContent(Reflect.get(stored, name), value)),
  ) as Partial<Body>;
}
