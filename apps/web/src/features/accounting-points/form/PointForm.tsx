import type { AccountingPoint } from "@metrum/contract/accounting";
import { useSession } from "#lib/session";
import { RecordDialog } from "#ui/record";
import "../accountingPoints.css";
import "../history/history.css";
import "../history/lanes.css";
import { cardHref } from "../points.ts";
import { pointRows } from "./pointRows.tsx";

interface Props {
  /** The point to change; without it one is made. */
  readonly point: AccountingPoint | null;
  /** Node of the tree of a new point. */
  readonly parent: { readonly _id: string; readonly name: string } | null;
  readonly onClose: () => void;
}

/** Makes or changes a point. Its terms hold from a moment on; numbers before it stay. */
export function PointForm({ point, parent, onClose }: Props) {
  const { company } = useSession();
  return (
    <RecordDialog
      form={pointRows}
      record={point}
      given={{
        ...{ parent, zone: company.timezone_name },
        ...{ unit: point?.unit ?? "", isTied: point?.device != null },
      }}
      onClose={onClose}
      onSaved={({ accounting_point }) => {
        if (point === null) location.hash = cardHref(accounting_point);
      }}
    />
  );
}
