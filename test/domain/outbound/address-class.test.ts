import { expect, test } from 'vitest'
import { addressClass, type AddressClass } from '../../../domain/outbound/address-class.ts'

const CLASSES: Readonly<Record<AddressClass, readonly string[]>> = {
  public: [
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
  ],
  loopback: [
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0177.0.0.1',
    '2130706433',
    '0x7f000001',
    '127.1',
  ],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fc00::1',
    'fd12:3456::1',
    '::ffff:10.1.2.3',
  ],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'link-local': [
    '169.254.0.1',
    '169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    '::ffff:169.254.169.254',
  ],
  metadata: [
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2:0:0::254',
    'fd00:ec2::254%1',
    'fd20:ce::254',
    '::ffff:100.100.100.200',
  ],
  unspecified: ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: [
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '255.255.255.255',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '2002:7f00:1::',
    '2001::1',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '5f00::1',
    'fec0::1',
    '::7f00:1',
    '::ffff:0:127.0.0.1',
    '4000::1',
    'e000::1',
    'example.org',
    '127.0.0.1.',
    '',
  ],
}

const table = (Object.keys(CLASSES) as AddressClass[]).flatMap((name) =>
  CLASSES[name].map((address) => [address, name] as const),
)

test.each(table)('%s is %s', (address, name) => {
  expect(addressClass(address)).toBe(name)
})
