import { control, type ControlFreeze } from "@metrum/contract/headend";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { StatusGlyph } from "#ui/status";
import { everyMs } from "./actions.ts";
import "./freeze.css";

/** That the provider has stopped commands to devices of the company, why, who and since when; else nothing. */
export function FreezeNote() {
  const [freeze] = useCall(control.state, {}, { isQuiet: true, everyMs }).data?.freezes ?? [];
  if (!freeze) return null;
  return (
    <Suspense fallback={null}>
      <Note freeze={freeze} />
    </Suspense>
  );
}

function Note({ freeze: { reason, since, user_name } }: { readonly freeze: ControlFreeze }) {
  const { t } = useTranslation("freeze");
  const { zone } = useSession();
  const by = { at: formatDateTime(since, zone), name: user_name ?? t("gone") };
  return (
    <div className="freeze-note" role="alert">
      <StatusGlyph kind="alarm" />
      <p>
        <b>{t("note", { reason })}</b>
        <span>{t("since", by)}</span>
        <span>{t("meaning")}</span>
      </p>
    </div>
  );
}
