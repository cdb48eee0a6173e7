import type { LanguageWords } from './words.ts'

export const SPANISH: LanguageWords = {
  locale: 'es-ES',
  per: { DAY: 'al día', WEEK: 'a la semana', MONTH: 'al mes', YEAR: 'al año' },
  every: { DAY: 'cada # días', WEEK: 'cada # semanas', MONTH: 'cada # meses', YEAR: 'cada # años' },
  footer: business => `Recibe este correo porque ${business} está suscrito a esta aplicación.`,
  links: { supportUrl: 'Ayuda', termsUrl: 'Condiciones', privacyUrl: 'Privacidad', imprintUrl: 'Aviso legal' },
  settings: 'Cambiar el idioma y los correos',
  mails: {
    RECEIPT: ({ app, plan, money, number, card }) => ({
      subject: `Recibo de ${app}: ${money}`,
      sentences: [
        `Ha pagado ${money} por ${plan} de ${app}${card && ` con ${card}`}.`,
        `Número de factura: ${number}.`,
      ],
      button: 'Abrir la factura',
    }),
    PAYMENT_FAILED: ({ app, plan, money, retryDay, deadline }) => ({
      subject: `El pago de ${app} ha fallado`,
      sentences: [
        `No hemos podido cobrar ${money} por ${plan} de ${app}.`,
        ...(retryDay ? [`Lo intentaremos de nuevo el ${retryDay}.`] : []),
        ...(deadline ? [`Si la factura no se paga antes del ${deadline}, la suscripción termina.`] : []),
      ],
      button: `Pagar ${money} ahora`,
    }),
    BANK_CONFIRMATION: ({ app, money }) => ({
      subject: `Confirme su pago de ${app}`,
      sentences: [
        `Su banco le pide que confirme un pago de ${money}.`,
        'El pago no se completará hasta que lo confirme.',
      ],
      button: 'Confirmar el pago',
    }),
    TRIAL_ENDING: ({ app, plan, day, price }) => ({
      subject: `Su prueba de ${app} termina el ${day}`,
      sentences: [
        `${plan} es gratis hasta el ${day}. Después cuesta ${price}.`,
        'Para no pagar nada, cancele antes de ese día.',
      ],
      button: 'Abrir la suscripción',
    }),
    CARD_EXPIRING: ({ card, day }) => ({
      subject: 'Su tarjeta caduca pronto',
      sentences: [
        `Sus suscripciones se pagan con ${card}, que caduca el ${day}.`,
        'Añada su nueva tarjeta para que no falle ningún pago.',
      ],
      button: 'Añadir una tarjeta',
    }),
    CANCELLED: ({ app, plan, day }) => ({
      subject: `Ha cancelado ${app}`,
      sentences: [
        `Puede usar ${plan} de ${app} hasta el ${day}. No se cobra nada más.`,
        'Hasta entonces puede cambiar de opinión.',
      ],
      button: 'Abrir la suscripción',
    }),
    ENDED: ({ app, plan, reason }) => ({
      subject: `Su suscripción a ${app} ha terminado`,
      sentences: [
        `${plan} de ${app} ha terminado.`,
        {
          CANCELLED: 'Ha cancelado la suscripción. No se cobra nada más.',
          DISPUTED: 'Su banco reclamó un pago. No se cobra nada más.',
          NON_PAYMENT: 'La factura no se pagó a tiempo.',
          OPERATOR: 'La plataforma ha finalizado la suscripción. No se cobra nada más.',
        }[reason],
      ],
      button: 'Abrir la suscripción',
    }),
    RESTORED: ({ app, plan, day, price }) => ({
      subject: `Su suscripción a ${app} continúa`,
      sentences: [
        `Se ha anulado la cancelación de ${plan}.`,
        `El próximo periodo empieza el ${day} y cuesta ${price}.`,
      ],
      button: 'Abrir la suscripción',
    }),
    PLAN_CHANGED: ({ app, plan, price }) => ({
      subject: `Su plan para ${app} ha cambiado`,
      sentences: [`Su plan es ahora ${plan}. Cuesta ${price}.`],
      button: 'Abrir la suscripción',
    }),
    REFUND: ({ app, money, number }) => ({
      subject: `Reembolso de ${money} de ${app}`,
      sentences: [
        `Hemos reembolsado ${money} de la factura ${number}.`,
        'El importe puede tardar unos días en aparecer en su cuenta.',
      ],
      button: 'Abrir la factura',
    }),
    RENEWAL_AHEAD: ({ app, plan, day, price }) => ({
      subject: `${app} se renueva el ${day}`,
      sentences: [
        `${plan} de ${app} se renueva el ${day} y cuesta ${price}.`,
        'Para no renovar, cancele antes de ese día.',
      ],
      button: 'Abrir la suscripción',
    }),
  },
}
