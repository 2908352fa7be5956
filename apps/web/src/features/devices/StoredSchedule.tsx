import type { ComponentProps } from "react";
import { ScheduleDialog } from "#control";
import { isPermitted } from "./permitted.ts";

/** The stored schedule of a device; loaded when it is opened. */
export function StoredSchedule(props: Omit<ComponentProps<typeof ScheduleDialog>, "isPermitted">) {
  return <ScheduleDialog {...props} isPermitted={isPermitted} />;
}
