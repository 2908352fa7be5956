import { longestTokenDays, ownSessions, type ApiToken } from "@metrum/contract/access";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, ignoreFailure, reasonOf, refetch, useCall } from "#lib/call";
import { formatDate, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { confirm } from "#ui/dialog";
import { AccountName, PasswordField, SelectField, TextField } from "#ui/field";
import { Icon } from "#ui/icon";
import { Form, useForm } from "#ui/form";
import { SettingsSection, ShownOnce } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { ErrorState, Note } from "#ui/states";
import { Status } from "#ui/status";
import { endSessionById } from "./SessionsSection.tsx";

const lives = [7, 30, 90, 180, longestTokenDays];
const nearSec = 7 * 86_400;

export function TokensSection() {
  const { t } = useTranslation("profile");
  const { data, error, refetch: again } = useCall(ownSessions.tokens, {}, { isQuiet: true, freshMs: 0 });
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const texts = {
    once: t("tokens.once"),
    copy: t("copy"),
    saved: t("tokens.saved"),
    copied: t("copied"),
    notCopied: t("notCopied"),
  };
  const onMade = (token: string) => {
    setMaking(false);
    setMade(token);
    void refetch(ownSessions.tokens);
  };
  return (
    <SettingsSection
      title={t("tokens.title")}
      text={t("tokens.text")}
      actions={
        isMaking ? undefined : (
          <Button icon="plus" onClick={() => setMaking(true)}>
            {t("tokens.create")}
          </Button>
        )
      }
    >
      {made === null ? null : <ShownOnce secret={made} texts={texts} onDone={() => setMade(null)} />}
      {isMaking ? <NewToken onMade={onMade} onCancel={() => setMaking(false)} /> : null}
      {error ? (
        <ErrorState title={t("tokens.failed")} message={reasonOf(error)} onRetry={() => void again()} />
      ) : data ? (
        data.tokens.length === 0 ? (
          isMaking || made !== null ? null : (
            <Note title={t("tokens.none")} text={t("tokens.noneText")} />
          )
        ) : (
          <ul className="profile-list">
            {data.tokens.map((each) => (
              <Row key={each.id} token={each} />
            ))}
          </ul>
        )
      ) : (
        <Skeleton height={80} />
      )}
    </SettingsSection>
  );
}

function Row({ token }: { readonly token: ApiToken }) {
  const { t } = useTranslation("profile");
  const { age } = useFormat();
  const { zone } = useSession();
  const now = Math.floor(Date.now() / 1000);
  const end = async () => {
    const isSure = await confirm({
      title: t("tokens.endTitle", { name: token.name }),
      text: t("tokens.endText"),
      action: t("tokens.end"),
      isHarmful: true,
    });
    if (isSure) await endSessionById(token.id);
  };
  return (
    <li>
      <Icon name="link" />
      <div>
        <strong>{token.name}</strong>
        <small>
          {token.last_seen === null
            ? t("tokens.unused")
            : t("sessions.seen", { age: age(Math.max(0, now - token.last_seen)) })}
        </small>
      </div>
      <Status kind={token.expires_at - now < nearSec ? "warn" : "ok"}>
        {t("tokens.until", { date: formatDate(token.expires_at, zone) })}
      </Status>
      <Button
        size="small"
        aria-label={t("tokens.endOf", { name: token.name })}
        onClick={() => void end().catch(ignoreFailure)}
      >
        {t("tokens.end")}
      </Button>
    </li>
  );
}

function NewToken(props: { readonly onMade: (token: string) => void; readonly onCancel: () => void }) {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  const form = useForm({
    stored: { name: "", days: "90", current_password: "" },
    required: ["name", "current_password"],
    send: ({ days, ...values }, options) =>
      exchange(ownSessions.createToken, { body: { ...values, days: Number(days) } }, options),
    onSaved: ({ access_token }) => props.onMade(access_token),
  });
  return (
    <Form form={form} className="profile-form">
      <TextField
        label={t("tokens.name")}
        hint={t("tokens.nameHint")}
        {...form.field("name")}
        autoFocus
        autoComplete="off"
        maxLength={100}
      />
      <SelectField
        label={t("tokens.days")}
        options={lives.map((count) => ({ value: String(count), title: t("tokens.life", { count }) }))}
        {...form.field("days")}
      />
      <AccountName email={user.email} />
      <PasswordField
        label={t("password.current")}
        {...form.field("current_password")}
        autoComplete="current-password"
      />
      <div className="profile-buttons">
        <Button type="submit" kind="primary" isBusy={form.isBusy} disabled={form.isBusy}>
          {t("tokens.make")}
        </Button>
        <Button onClick={props.onCancel}>{t("common:cancel")}</Button>
      </div>
    </Form>
  );
}
