import type { Text } from "@metrum/vocabulary";

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });

/**
 * What the platform itself says of the outcome of a command, by the code that is stored with it. What a device or a
 * driver says is stored beside it as it was given.
 */
export const commandMessages = {
  no_function: text(
    "драйвер прибора не знает такой команды",
    "the driver of the device has no such command",
    "төхөөрөмжийн драйверт ийм команд алга",
  ),
  put_away: text(
    "прибор в архиве или в корзине",
    "the device was put away",
    "төхөөрөмж архив эсвэл хогийн саванд байна",
  ),
  task_stopped: text(
    "задача остановлена после неудач",
    "the task has stopped after its failures",
    "даалгавар амжилтгүй болсны дараа зогссон",
  ),
  process_ended: text(
    "сервер перезапустился во время отправки",
    "the server was restarted while it was sent",
    "илгээж байх үед сервер дахин ачаалсан",
  ),
  line_lost: text(
    "связь прервалась во время отправки",
    "the line was lost while it was sent",
    "илгээж байх үед холбоо тасарсан",
  ),
  not_read_back: text(
    "прибор подтвердил команду, но прочитать его состояние не удалось",
    "the device has confirmed the command, but its state could not be read back",
    "төхөөрөмж командыг баталсан боловч төлөвийг нь уншиж чадсангүй",
  ),
  other_state: text(
    "прибор подтвердил команду, но его состояние другое",
    "the device has confirmed the command, but its state is another",
    "төхөөрөмж командыг баталсан боловч төлөв нь өөр байна",
  ),
  partly_set: text(
    "выполнена только часть команды",
    "only a part of the command is carried out",
    "командын зөвхөн нэг хэсэг биелсэн",
  ),
  awaits_uplink: text(
    "ждёт сообщения прибора: он принимает команды только сразу после него",
    "waits for a message of the device: it listens only right after one",
    "төхөөрөмжийн мэдээг хүлээж байна: зөвхөн түүний дараа л команд хүлээн авдаг",
  ),
  not_heard: text(
    "прибор не прислал сообщения за это время, команда не отправлена",
    "no message of the device came in this time, and nothing was sent",
    "энэ хугацаанд төхөөрөмжөөс мэдээ ирээгүй тул команд илгээгдээгүй",
  ),
  not_sent: text(
    "сеть ещё не приняла команду, отправка повторится",
    "the network has not taken it yet, it is tried again",
    "сүлжээ хараахан хүлээж аваагүй, дахин илгээнэ",
  ),
  network_refused: text(
    "сетевой сервер не принял команду",
    "the network server has refused it",
    "сүлжээний сервер хүлээж аваагүй",
  ),
  network_unknown: text(
    "неизвестно, принял ли её сетевой сервер",
    "it is not known whether the network server has taken it",
    "сүлжээний сервер хүлээж авсан эсэх нь тодорхойгүй",
  ),
  handed_over: text(
    "передана в сеть; прибор не подтверждает такие команды",
    "handed over to the network; the device gives no proof",
    "сүлжээнд дамжуулсан; төхөөрөмж ийм командыг баталдаггүй",
  ),
  on_air: text(
    "передана в эфир, прибор её не подтвердил: такие команды он не подтверждает",
    "sent to the air, not confirmed: the device gives no proof",
    "агаарт цацсан, төхөөрөмж баталгаажуулаагүй: ийм командыг баталдаггүй",
  ),
  on_air_no_proof: text(
    "передана в эфир, но сообщения прибора её не подтвердили",
    "sent to the air, but no message of the device has proved it",
    "агаарт цацсан боловч төхөөрөмжийн мэдээ баталсангүй",
  ),
  no_proof: text(
    "передана в сеть, но сообщения прибора её не подтвердили",
    "handed over to the network, but no message of the device has proved it",
    "сүлжээнд дамжуулсан боловч төхөөрөмжийн мэдээ баталсангүй",
  ),
} as const satisfies Readonly<Record<string, Text>>;
export type CommandMessage = keyof typeof commandMessages;
