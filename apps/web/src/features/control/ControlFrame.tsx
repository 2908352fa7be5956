import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat, useNow } from "#lib/format";
import { Dialog } from "#ui/dialog";
import { SearchBox } from "#ui/search";
import { stateKinds, Status } from "#ui/status";
import { Controls, Loading } from "./Controls.tsx";
import type { Target } from "./target.ts";

interface Props {
  /** Undefined: it is being loaded. */
  readonly target: Target | undefined;
  /** The card of its transparent port, if it has a line. */
  readonly bridge: ReactNode;
  readonly actions?: ReactNode;
  readonly onClose: () => void;
}

/** The dialog with the commands of a device or gateway: what it is and whether it reports, a search, and the commands. */
export function ControlFrame({ target, bridge, actions, onClose }: Props) {
  const { t } = useTranslation("control");
  const [search, setSearch] = useState("");
  return (
    <Dialog
      title={target ? t("title", { name: target.name }) : t("loadingTitle")}
      head={
        target ? (
          <div className="control-head">
            <Facts target={target} />
            <SearchBox label={t("find")} value={search} onSearch={setSearch} />
          </div>
        ) : null
      }
      size="95%"
      onClose={onClose}
      closesOutside={false}
      actions={actions}
    >
      {target ? <Controls target={target} bridge={bridge} search={search} /> : <Loading />}
    </Dialog>
  );
}

function Facts({ target: { facts, reports } }: { readonly target: Target }) {
  const { t } = useTranslation(["deviceData", "devices"]);
  const { age } = useFormat();
  const now = useNow();
  if (!reports) return <p className="control-note">{facts.join(", ")}</p>;
  const state = t(`devices:state.${reports.state}`);
  const at = reports.last_data_at;
  return (
    <p className="control-note">
      <span>{facts.join(", ")}</span>
      <Status kind={stateKinds[reports.state]}>
        {at === null ? state : t(now - at < 60 ? "stateNow" : "stateAge", { state, age: age(now - at) })}
      </Status>
    </p>
  );
}
