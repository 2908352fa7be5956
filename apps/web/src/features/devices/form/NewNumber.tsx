import { deviceRecord } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { send } from "#lib/call";
import { Button } from "#ui/button";

/** A number for a device without a factory number. */
export function NewNumber({ onNumber }: { readonly onNumber: (number: string) => void }) {
  const { t } = useTranslation("deviceForm");
  // The call itself reports a failure.
  const make = () =>
    send(deviceRecord.uuid, {}).then(
      ({ uuid }) => onNumber(uuid),
      () => undefined,
    );
  return <Button onClick={() => void make()}>{t("uuid")}</Button>;
}
