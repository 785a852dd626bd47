// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

type Fixed is uint256;

function half(Fixed x) pure returns (Fixed) {
    return Fixed.wrap(Fixed.unwrap(x) / 2);
}

library Strings {
    bytes16 internal constant DIGITS = "0123456789abcdef";

    function toText(uint256 value) internal pure returns (string memory text) {
        if (value == 0) {
            return "0";
        }
        uint256 digits;
        for (uint256 rest = value; rest != 0; rest /= 10) digits++;
        bytes memory buffer = new bytes(digits);
        while (value != 0) {
            digits -= 1;
            buffer[digits] = bytes1(uint8(48 + (value % 10)));
            value /= 10;
        }
        text = string(buffer);
    }

    function toHex(bytes32 value) internal pure returns (string memory) {
        bytes memory buffer = new bytes(64);
        for (uint256 i = 0; i < 32; i++) {
            uint8 each = uint8(value[i]);
            buffer[2 * i] = DIGITS[each >> 4];
            buffer[2 * i + 1] = DIGITS[each & 15];
        }
        return string(buffer);
    }
}

library External {
    function triple(uint256 x) internal pure returns (uint256) {
        return x * 3;
    }
}

contract Bits {
    using Strings for uint256;
    using {half} for Fixed;

    uint256[4] internal slots;
    function(uint256) internal pure returns (uint256) internal chosen;

    function sqrt(uint256 x) public pure returns (uint256 z) {
        if (x > 3) {
            z = x;
            uint256 y = x / 2 + 1;
            while (y < z) {
                z = y;
                y = (x / y + y) / 2;
            }
        } else if (x != 0) {
            z = 1;
        }
    }

    function factorial(uint256 n) public pure returns (uint256) {
        return n < 2 ? 1 : n * factorial(n - 1);
    }

    function text(uint256 n) external pure returns (string memory) {
        return n.toText();
    }

    function hexText(bytes32 n) external pure returns (string memory) {
        return Strings.toHex(n);
    }

    function halved(uint256 n) external pure returns (uint256) {
        return Fixed.unwrap(Fixed.wrap(n).half());
    }

    function choose(bool first) external returns (uint256) {
        if (first) {
            chosen = _one;
        } else {
            chosen = _two;
        }
        return chosen(5);
    }

    function _one(uint256 x) internal pure returns (uint256) {
        return x + 1;
    }

    function _two(uint256 x) internal pure returns (uint256) {
        return x + 2;
    }

    function popcount(uint256 x) external pure returns (uint256 n) {
        assembly {
            for { } x { } {
                x := and(x, sub(x, 1))
                n := add(n, 1)
            }
        }
    }

    function store(uint256 i, uint256 x) external {
        slots[i] = x;
        assembly ("memory-safe") {
            let at := add(slots.slot, i)
            sstore(at, add(sload(at), 1))
        }
    }

    function triple(uint256 x) external pure returns (uint256) {
        return External.triple(x);
    }

    function encode(address who, bytes calldata data) external pure returns (bytes32 hash, bytes memory all) {
        all = abi.encodePacked(who, data, uint8(1));
        hash = keccak256(all);
        (bool unused, uint256[] memory list) = (false, new uint256[](2));
        list[0] = unused ? 1 : 2;
    }
}
