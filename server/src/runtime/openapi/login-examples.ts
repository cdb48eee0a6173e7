/** Responses about logins of the command-line tool. */
export const LOGIN_EXAMPLES = {
  DeviceLogin: {
    deviceCode: 'the-secret-of-the-device',
    userCode: 'BCDF-GHJK',
    verificationUri: 'https://api.example.com/device',
    verificationUriComplete: 'https://api.example.com/device?code=BCDF-GHJK',
    expiresIn: 900,
    interval: 5,
  },
}
