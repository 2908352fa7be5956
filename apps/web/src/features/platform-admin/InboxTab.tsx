import { Callers, useCallers } from "#callers";
import { useRefused } from "./useRefused.ts";

/** The callers of all companies, and modems that no company has registered. */
export function InboxTab() {
  const callers = useCallers(true);
  useRefused(callers.list.query.error);
  return <Callers {...callers} />;
}
