import type { DeviceTask } from "@metrum/contract/headend";
import { sharesOf } from "./tasks.ts";

interface Props {
  readonly task: Pick<DeviceTask, "device_count" | "done_count" | "failed_count">;
  /** Words for the same. */
  readonly text: string;
}

/** A bar: answered devices, then failed ones; the text next to it says the same. */
export function Progress({ task, text }: Props) {
  const { done, failed } = sharesOf(task);
  return (
    <svg className="task-bar" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={text}>
      <rect className="task-bar-rest" width="100" height="4" />
      <rect className="task-bar-done" width={done} height="4" />
      <rect className="task-bar-failed" x={done} width={failed} height="4" />
    </svg>
  );
}
