import type { ReactNode } from "react";
import { useAllowed } from "#lib/session";
import { deviceDataRight, deviceHref } from "./hrefs.ts";

interface Props {
  readonly id: number;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The name of a device, which leads to its data if the user's rights open them. */
export function DeviceLink({ id, className, children }: Props) {
  return useAllowed(deviceDataRight) ? (
    <a className={className} href={deviceHref(id)}>
      {children}
    </a>
  ) : (
    <span className={className}>{children}</span>
  );
}
