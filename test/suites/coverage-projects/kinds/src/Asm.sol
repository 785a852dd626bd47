// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Asm {
    enum Kind { None, Some, Many }
    struct Pair { uint128 a; uint128 b; }
    mapping(address => Pair) public pairs;
    Kind public kind;
    bytes public blob;

    function classify(uint256 x) external pure returns (uint256 r) {
        assembly {
            switch x
            case 0 {
                r := 1
            }
            case 1 {
                r := 2
            }
            default {
                r := 3
            }
            if gt(x, 5) {
                r := add(r, 10)
            }
            for { let i := 0 } lt(i, x) { i := add(i, 1) } {
                if eq(i, 3) { continue }
                if eq(i, 8) { break }
                r := add(r, 100)
            }
        }
    }

    function functions(uint256 x) external pure returns (uint256 r) {
        assembly ("memory-safe") {
            function double(a) -> b {
                b := mul(a, 2)
            }
            function never(a) -> b {
                if a { leave }
                b := 7
            }
            r := double(x)
            if iszero(r) { r := never(1) }
        }
    }

    function structs(address who, uint128 a) external returns (uint256) {
        Pair storage pair = pairs[who];
        if (pair.a == 0) {
            pair.a = a;
            pair.b += 1;
        } else {
            pairs[who] = Pair({
                a: a,
                b: pair.b + 1
            });
        }
        kind = a > 5 ? Kind.Many : a > 1 ? Kind.Some : Kind.None;
        return uint256(pair.b);
    }

    function blobs(bytes calldata data) external {
        if (data.length == 0) return;
        blob = data;
        for (uint256 i; i < data.length && i < 4; ++i)
            if (data[i] == 0x00)
                blob.push(0x01);
            else
                blob.pop();
    }

    function scopes(uint256 x) external pure returns (uint256 y) {
        {
            uint256 z = x + 1;
            y = z;
        }
        unchecked { y -= 5; }
        if (y > 100) { y = 1; } else y = 2;
        if (x == 0)
            return 0;
        return y;
    }

    function low(address to, bytes memory data) external payable returns (bool ok, bytes memory out) {
        (ok, out) = to.call{value: msg.value}(data);
        if (!ok) {
            assembly {
                revert(add(out, 32), mload(out))
            }
        }
    }

    function ptr(uint256 x) external pure returns (uint256) {
        function(uint256) internal pure returns (uint256) f = x > 1 ? inc : dec;
        return f(x);
    }

    function inc(uint256 x) internal pure returns (uint256) {
        return x + 1;
    }

    function dec(uint256 x) internal pure returns (uint256) {
        return x - 1;
    }

    function named() external pure returns (uint256 a, uint256 b) {
        a = 1;
        return (a, b = 3);
    }
}
