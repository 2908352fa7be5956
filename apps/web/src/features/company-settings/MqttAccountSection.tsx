import { mqttAccount, type MqttAccount } from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, ignoreFailure, refetch, useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { copyText } from "#ui/copy";
import { confirm } from "#ui/dialog";
import { AskedSettings, SettingsRow, SettingsSection, ShownOnce } from "#ui/settings";
import { snack } from "#ui/snackbar";
import { Status } from "#ui/status";

/** Credentials of the company's publishers at the broker. A new password is shown once, here. */
export function MqttAccountSection() {
  const { t } = useTranslation("companySettings");
  const query = useCall(mqttAccount.get, {}, { isQuiet: true });
  const [password, setPassword] = useState("");
  const title = t("mqttAccount.title");
  return (
    <AskedSettings title={title} failed={t("mqttAccount.failed")} query={query} height={200}>
      {(account) =>
        account.address === null ? (
          <SettingsSection title={title} text={t("mqttAccount.elsewhere")} />
        ) : (
          <SettingsSection title={title} text={t("mqttAccount.about")}>
            <Copied
              title={t("mqttAccount.address")}
              value={`${account.address.host}:${String(account.address.port)}`}
            />
            {account.address.tls_port === null ? null : (
              <Copied
                title={t("mqttAccount.addressTls")}
                value={`mqtts://${account.address.host}:${String(account.address.tls_port)}`}
              />
            )}
            <Copied title={t("mqttAccount.username")} value={account.username} />
            <Copied title={t("mqttAccount.prefix")} value={account.prefix} />
            {password === "" ? (
              <PasswordLine account={account} onIssued={setPassword} />
            ) : (
              <Issued password={password} onDone={() => setPassword("")} />
            )}
            {account.refusals.map((refusal) => (
              <Refused key={refusal.reason} refusal={refusal} />
            ))}
          </SettingsSection>
        )
      }
    </AskedSettings>
  );
}

function Copied({ title, value }: { readonly title: string; readonly value: string }) {
  const { t } = useTranslation("companySettings");
  const labels = { copied: t("mqttAccount.copied"), notCopied: t("mqttAccount.notCopied") };
  return (
    <SettingsRow title={title} text={<span className="mqtt-value">{value}</span>}>
      <IconButton
        icon="copy"
        label={t("mqttAccount.copyOf", { title, value })}
        onClick={() => void copyText(value, labels)}
      />
    </SettingsRow>
  );
}

/** What the broker has not done for clients of the account, and what to change in them. */
function Refused({ refusal }: { readonly refusal: MqttAccount["refusals"][number] }) {
  const { t } = useTranslation("companySettings");
  const { zone } = useSession();
  const { reason, detail, count, last_at } = refusal;
  return (
    <SettingsRow
      title={<Status kind="warn">{t(`mqttAccount.refused.${reason}`, { detail })}</Status>}
      text={t("mqttAccount.refusedAt", { count, date: formatDateTime(last_at, zone) })}
    />
  );
}

interface PasswordProps {
  readonly account: MqttAccount;
  readonly onIssued: (password: string) => void;
}

function PasswordLine({ account, onIssued }: PasswordProps) {
  const { t } = useTranslation("companySettings");
  const [isBusy, setBusy] = useState(false);
  const kind = account.has_password ? "again" : "first";
  const issue = async () => {
    const isSure = await confirm({
      title: t(`mqttAccount.${kind}.title`),
      text: t(`mqttAccount.${kind}.text`),
      action: t("mqttAccount.issueAction"),
      isHarmful: account.has_password,
    });
    if (!isSure) return;
    setBusy(true);
    // The call itself reports a refusal.
    const answer = await exchange(mqttAccount.issue, {}).catch(ignoreFailure);
    setBusy(false);
    if (!answer) return;
    onIssued(answer.data.password);
    snack(answer.msg);
    await refetch(mqttAccount.get);
  };
  return (
    <SettingsRow title={t("mqttAccount.password")} text={<Since account={account} />}>
      <Button
        kind={account.has_password ? "secondary" : "primary"}
        isBusy={isBusy}
        onClick={() => void issue()}
      >
        {t(`mqttAccount.${kind}.issue`)}
      </Button>
    </SettingsRow>
  );
}

function Since({ account }: { readonly account: MqttAccount }) {
  const { t } = useTranslation("companySettings");
  const { zone } = useSession();
  const { has_password, issued_at, issued_by } = account;
  if (!has_password) return <Status kind="off">{t("mqttAccount.none")}</Status>;
  if (issued_at === null) return t("mqttAccount.byServer");
  const date = formatDateTime(issued_at, zone);
  return issued_by === null
    ? t("mqttAccount.issuedAt", { date })
    : t("mqttAccount.issuedBy", { date, name: issued_by });
}

function Issued({ password, onDone }: { readonly password: string; readonly onDone: () => void }) {
  const { t } = useTranslation("companySettings");
  const texts = {
    once: t("mqttAccount.once"),
    copy: t("mqttAccount.copy"),
    saved: t("mqttAccount.saved"),
    copied: t("mqttAccount.copied"),
    notCopied: t("mqttAccount.notCopied"),
  };
  return <ShownOnce secret={password} texts={texts} onDone={onDone} />;
}
