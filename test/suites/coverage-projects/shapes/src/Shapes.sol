// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Maths {
    function double(uint256 x) internal pure returns (uint256) {
        return x * 2;
    }

    function never(uint256 x) internal pure returns (uint256) {
        return x + 1;
    }

    function outside(uint256 x) internal pure returns (uint256 y) {
        y = x + 7;
    }
}

function free(uint256 x) pure returns (uint256) {
    if (x == 0) return 1;
    return x;
}

contract Other {
    uint256 public last;
    uint256 immutable start;

    constructor(uint256 first) {
        start = first;
        last = first;
    }

    function set(uint256 x) external {
        require(x != 13, "unlucky");
        last = x;
    }

    receive() external payable {}
}

abstract contract Base {
    address public owner = msg.sender;
    uint256 internal base;

    event Done(uint256 indexed n);
    error Not(address who);

    constructor(uint256 b) {
        base = b;
    }

    modifier only() {
        if (msg.sender != owner) {
            revert Not(msg.sender);
        }
        _;
        base++;
    }

    modifier unused() {
        base = 1;
        _;
    }

    function hook() internal virtual;
}

contract Shapes is Base(4) {
    using Maths for uint256;

    uint256 constant LIMIT = 5 + 3;
    uint256[] public list;
    mapping(address => uint256) public balances;
    Other public other;
    string public name = "shapes";

    struct Pair {
        uint256 a;
        uint256 b;
    }

    constructor() {
        other = new Other(9);
        hook();
    }

    function hook() internal override {
        list.push(1);
    }

    function branches(uint256 x) external only returns (uint256 r) {
        uint256 y;
        if (x > LIMIT) {
            y = 1;
        } else if (x > 2) {
            y = 2;
        } else {
            y = 3;
        }
        if (x == 100) y = 100;
        r = x > 3 ? y.double() : y;
        unchecked {
            r += 1;
        }
        emit Done(r);
    }

    function loops(uint256 n) external returns (uint256 sum) {
        for (uint256 i = 0; i < n; i++) {
            if (i == 2) continue;
            if (i == 5) break;
            sum += i;
        }
        uint256 k = n;
        while (k > 0) {
            k--;
        }
        do {
            k++;
        } while (k < 3);
        for (;;) {
            break;
        }
        list.push(sum);
        delete list[0];
    }

    function tries(uint256 x) external returns (bool ok) {
        try other.set(x) {
            ok = true;
        } catch Error(string memory) {
            ok = false;
        } catch {
            ok = false;
            list.push(2);
        }
        return ok;
    }

    function never(uint256 x) external returns (uint256) {
        uint256 z = x.never();
        (bool sent, ) = msg.sender.call{value: 1}(
            abi.encodeWithSignature("x()")
        );
        require(sent);
        return z;
    }

    function asm(uint256 x) external pure returns (uint256 r) {
        assembly {
            let y := add(x, 1)
            if gt(y, 5) {
                y := 5
            }
            switch y
            case 1 { r := 10 }
            case 3 { r := 30 }
            default { r := 99 }
            for { let i := 0 } lt(i, 2) { i := add(i, 1) } {
                r := add(r, i)
            }
        }
    }

    function pairs(Pair calldata p) external only returns (uint256, uint256) {
        Pair memory q = Pair({
            a: p.a,
            b: p.b
        });
        (q.a, q.b) = (q.b, q.a);
        balances[msg.sender] += q.a;
        return (q.a, free(q.b));
    }

    function lib(uint256 x) external pure returns (uint256) {
        return Maths.outside(x);
    }

    function early(uint256 x) public pure returns (uint256) {
        if (x > 10) {
            return 10;
        }
        if (x > 5) revert("five");
        assert(x != 4);
        return _inner(
            x,
            1
        );
    }

    function _inner(uint256 a, uint256 b) private pure returns (uint256) {
        return a
            + b;
    }

    fallback() external payable {
        list.push(msg.value);
    }

    receive() external payable {
        balances[msg.sender] += msg.value;
    }
}
