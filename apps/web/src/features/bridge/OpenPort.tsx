import type { TransparentPort } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { useFormat, useNow } from "#lib/format";
import { Button } from "#ui/button";
import { copyText } from "#ui/copy";
import { FactLines } from "#ui/facts";
import { Status } from "#ui/status";
import { addressOf, clockOf, leftOf } from "./port.ts";

interface Props {
  readonly port: TransparentPort;
  /** When the server answered, in seconds of this clock. */
  readonly saidAt: number;
}

/** Address, client and remaining time of the port, and its traffic; for a closed one, the reason. */
export function OpenPort({ port, saidAt }: Props) {
  const { t } = useTranslation("bridge");
  const { number } = useFormat();
  const facts = [
    { name: "address", title: t("fact.address"), value: port.address },
    { name: "user", title: t("fact.user"), value: port.user_name },
    { name: "sent", title: t("fact.sent"), value: number(port.bytes_sent, 0) },
    { name: "received", title: t("fact.received"), value: number(port.bytes_received, 0) },
  ];
  return (
    <>
      {port.is_active ? (
        <Listening port={port} saidAt={saidAt} />
      ) : (
        <Status kind="off">{t("ended", { reason: t(`end.${port.end ?? "stopped"}`) })}</Status>
      )}
      <FactLines facts={facts} />
      <p className="bridge-note">{t(port.is_active ? "meanwhile" : "goesOn")}</p>
    </>
  );
}

function Listening({ port, saidAt }: Props) {
  const { t } = useTranslation("bridge");
  const now = useNow(1000);
  const address = addressOf(port);
  const labels = { copied: t("copied"), notCopied: t("notCopied") };
  return (
    <>
      <div className="bridge-address">
        <code>{address}</code>
        <Button icon="copy" onClick={() => void copyText(address, labels)}>
          {t("copy")}
        </Button>
      </div>
      <p className="bridge-state">
        <Status kind="ok">{t("isOpen")}</Status>
        <span role="timer" aria-live="off">
          {t("left", { time: clockOf(leftOf(port.seconds_left, saidAt, now)) })}
        </span>
      </p>
    </>
  );
}
