import type { Line } from "@metrum/contract/headend";
import { Suspense, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { DeviceTabs } from "#carriers";
import { useFormat, useNow } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { ListPage, ListView, useList } from "#ui/list";
import { lineList } from "./lineList.tsx";
import "./lines.css";

const LineDialog = lazily(async () => ({ default: (await import("./LineDialog.tsx")).LineDialog }));
const TestDialog = lazily(async () => ({ default: (await import("./TestDialog.tsx")).TestDialog }));

/** Lines that the server opens: connections to converters, serial ports, receivers. */
export function LinesPage() {
  const { t } = useTranslation(["lines", "devices"]);
  const { number } = useFormat();
  const now = useNow();
  const mayChange = useAllowed("4:update|4:access_all");
  const [edited, setEdited] = useState<Line | "new" | null>(null);
  const [tested, setTested] = useState<Line | null>(null);
  const list = useList(lineList, { now, mayChange, onEdit: setEdited, onTest: setTested });
  const { address, total } = list;
  const isWhole = address.state.q === "" && Object.keys(address.state.filters).length === 0;
  return (
    <ListPage className="lines" title={t("devices:title")}>
      <DeviceTabs
        current="lines"
        count={isWhole && total !== undefined ? number(total, 0) : ""}
        onReset={address.reset}
      />
      <ListView
        list={list}
        tools={
          mayChange ? (
            <Button kind="primary" icon="plus" onClick={() => setEdited("new")}>
              {t("add")}
            </Button>
          ) : null
        }
      />
      <Suspense>
        {edited === null ? null : (
          <LineDialog
            key={edited === "new" ? "new" : edited.id}
            line={edited === "new" ? null : edited}
            onClose={() => setEdited(null)}
          />
        )}
        {tested === null ? null : (
          <TestDialog key={tested.id} line={tested} onClose={() => setTested(null)} />
        )}
      </Suspense>
    </ListPage>
  );
}
