import type { ComponentProps } from "react";
import { isPermitted } from "#carriers";
import { ScheduleDialog } from "#control";

/** The stored schedule of a device; loaded when it is opened. */
export function StoredSchedule(props: Omit<ComponentProps<typeof ScheduleDialog>, "isPermitted">) {
  return <ScheduleDialog {...props} isPermitted={isPermitted} />;
}
